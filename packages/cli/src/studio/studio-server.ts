import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { STRICT_HEADERS, sendFile, sendText } from './respond.ts';

/** A file that the page may fetch: its path as the page sees it, and where it is. */
export interface OfferedFile {
  readonly name: string;
  readonly path: string;
  /** Folders, as `realpath` gives them, one of which holds the file behind all links. Default: where it is now. */
  readonly roots?: readonly string[];
}

export interface StudioServer {
  readonly address: string; // with the token, and the file to open, if there is one
  close(): Promise<void>;
}

export interface StudioServerOptions {
  readonly folder: string; // of the built site
  readonly files: readonly OfferedFile[];
  readonly port: number; // 0: any free one
  readonly edit?: boolean; // the address leads to the shape editor
}

interface Offer {
  readonly site: string; // its real path
  readonly files: readonly Required<OfferedFile>[];
  readonly tokenHash: Buffer;
}

const TOKEN_BYTES = 24;
const NOT_THE_ADDRESS = 'Open the address that `pliant studio` printed when it started: it holds a key.\n';

/**
 * Serves the studio to this computer only. Every path begins with a token that is new with every start, so that no other
 * user or page can guess it: below it are the site, and under served/ the files that were named.
 */
export async function serveStudio(options: StudioServerOptions): Promise<StudioServer> {
  const { folder, port, edit } = options;
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const files = await Promise.all(options.files.map(withRoots));
  const offer: Offer = { site: await realpath(folder), files, tokenHash: hashOf(token) };
  let ownPort = port;
  const server = createServer((request, response) => {
    answer(request, response, offer, ownPort).catch(() => response.destroy());
  });
  await listen(server, port);
  ownPort = (server.address() as AddressInfo).port;
  const scene = edit ? 'editor' : files.length > 0 ? 'inspector' : undefined;
  const link = scene === undefined ? '' : `#scene=${scene}${files.length > 0 ? '&open=served' : ''}`;
  return {
    address: `http://localhost:${ownPort}/${token}/${link}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
}

async function withRoots({ name, path, roots }: OfferedFile): Promise<Required<OfferedFile>> {
  const real = roots ? undefined : await realpath(path).catch(() => path); // not there: the page will say so
  return { name, path, roots: roots ?? [dirname(real!)] };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { site, files, tokenHash }: Offer,
  port: number,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return sendText(response, 405);
  if (!isOurs(request.headers.host, port)) return sendText(response, 403); // another name for this computer: not us
  const asked = decodePath(request.url ?? '/');
  if (asked === undefined) return sendText(response, 400);
  const [, token, path] = /^\/([^/]*)(.*)$/s.exec(asked) ?? [];
  if (!timingSafeEqual(hashOf(token ?? ''), tokenHash)) return sendText(response, 403, NOT_THE_ADDRESS);
  if (path === '') {
    response.writeHead(308, { ...STRICT_HEADERS, Location: `/${token}/` }).end();
    return;
  }
  if (path === '/served/index.json') {
    const text = JSON.stringify({ files: files.map(({ name }) => name) });
    return sendText(response, 200, text, 'application/json; charset=utf-8');
  }
  const served = /^\/served\/(\d{1,6})$/.exec(path);
  if (served) {
    const file = files[Number(served[1])];
    return sendFile(request, response, file?.path, { roots: file?.roots ?? [], caching: 'no-store' });
  }
  const isForever = path.startsWith('/assets/'); // names there hold a hash of the content
  const caching = isForever ? 'private, max-age=31536000, immutable' : 'no-cache';
  const wanted = normalize(join(site, path === '/' ? 'index.html' : path));
  return sendFile(request, response, wanted, { roots: [site], caching });
}

/** Hash of a token. Hashes have one length, so comparing them takes equally long for any text. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** False where a page of another name was led to this computer (DNS rebinding). */
function isOurs(host: string | undefined, port: number): boolean {
  const names = ['localhost', '127.0.0.1'];
  return names.some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

/** Without the query; undefined when it is not well formed. */
function decodePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.replace(/[?#].*/s, ''));
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
