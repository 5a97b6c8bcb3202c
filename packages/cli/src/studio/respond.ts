import { constants } from 'node:fs';
import { type FileHandle, open, realpath } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** Only what comes from here; besides WebAssembly, pictures of the page's own making, and the script of its sound. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval' blob:",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** On every answer. Exact clocks and shared memory are for pages that are isolated from all others. */
export const STRICT_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

export function sendText(
  response: ServerResponse,
  code: number,
  text = `${code}\n`,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(code, { ...STRICT_HEADERS, 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(text);
}

/** Sends a file that lies below one of `roots` once all links are followed. It is closed whatever becomes of the answer. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string | undefined,
  { roots, caching }: { readonly roots: readonly string[]; readonly caching: string },
): Promise<void> {
  const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (path === undefined || real === undefined) return sendText(response, 404);
  if (!roots.some((root) => isWithin(root, real))) {
    return sendText(response, 403, 'This leads out of the folder that is served.\n');
  }
  const file = await openPlain(real);
  if (file === undefined) return sendText(response, 404);
  const { handle, size } = file;
  try {
    response.writeHead(200, {
      ...STRICT_HEADERS,
      'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
      'Content-Length': size,
      'Cache-Control': caching,
    });
    if (request.method === 'HEAD' || size === 0) response.end();
    else await pipeline(handle.createReadStream({ end: size - 1, autoClose: false }), response);
  } finally {
    await handle.close();
  }
}

export function isWithin(root: string, path: string): boolean {
  return path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Undefined for folders, pipes and what cannot be read. A link that took the file's place meanwhile is not followed. */
async function openPlain(path: string): Promise<{ handle: FileHandle; size: number } | undefined> {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants; // a pipe without a writer must not be waited for
  const handle = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  const found = await handle.stat();
  if (found.isFile()) return { handle, size: found.size };
  await handle.close();
  return undefined;
}
