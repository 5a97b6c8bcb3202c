import { InputError } from '../mesh/input-error.ts';
import { type JsonCheck, oneLine } from './json-check.ts';

/** Bytes of a file beside the glTF; the path is relative, and cannot leave its folder by itself. */
export type ReadResource = (path: string) => Promise<Uint8Array>;

const BASE64 = /^data:[^,]*;base64,/i;

/** The bytes of one buffer with a URI. Nothing is fetched: a data URI is decoded, a path goes to the caller. */
export async function readBufferUri(
  check: JsonCheck,
  uri: unknown,
  where: string,
  readResource: ReadResource | undefined,
): Promise<Uint8Array> {
  if (typeof uri !== 'string') check.fail('wrong-type', `${where} must be a string`);
  if (/^data:/i.test(uri)) return decodeDataUri(check, uri, where);
  const path = confinedPath(check, uri, where);
  if (readResource === undefined) {
    check.fail('missing-file', `${where} is the file "${oneLine(path, 80)}", which cannot be read from here`);
  }
  let bytes: unknown;
  try {
    bytes = await readResource(path);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = error instanceof Error ? oneLine(error.message, 120) : 'unknown reason';
    check.fail('missing-file', `${where}: "${oneLine(path, 80)}" cannot be read: ${reason}`);
  }
  if (bytes instanceof Uint8Array) return bytes;
  check.fail('wrong-type', `${where}: reading "${oneLine(path, 80)}" gave no Uint8Array`);
}

/**
 * The path below the glTF's folder that a URI names. Schemes, hosts, absolute paths, `..`, queries, backslashes and
 * their percent-encoded forms are refused: a model must not choose what else is read.
 */
export function confinedPath(check: JsonCheck, uri: string, where: string): string {
  const shown = oneLine(uri, 80);
  const refuse = (why: string) => check.fail('unsupported', `${where} "${shown}" ${why}`);
  if (/^[a-z][a-z0-9+.-]*:/i.test(uri)) refuse('has a scheme; only files beside the model are read');
  if (/[?#]/.test(uri)) refuse('has a query or fragment');
  let path = uri;
  try {
    path = decodeURIComponent(uri);
  } catch {
    refuse('is not well encoded');
  }
  if (path.split('/').length !== uri.split('/').length) refuse('hides a slash'); // %2F
  if (/[\\:%\p{Cc}]/u.test(path)) refuse('has a character that no such path needs');
  if (path.startsWith('/')) refuse('is absolute; only files beside the model are read');
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.some((segment) => /^\s*\.[.\s]*$/.test(segment))) refuse("leaves the model's folder");
  if (segments.length === 0) refuse('names no file');
  return segments.join('/');
}

function decodeDataUri(check: JsonCheck, uri: string, where: string): Uint8Array {
  const header = BASE64.exec(uri)?.[0];
  if (header === undefined) check.fail('unsupported', `${where} is a data URI without base64`);
  let text: string;
  try {
    text = atob(uri.slice(header.length));
  } catch {
    check.fail('syntax', `${where}: the base64 text is damaged`);
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
