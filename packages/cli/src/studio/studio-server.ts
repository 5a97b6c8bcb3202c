import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize, sep } from 'node:path';

/** A file that the page may fetch: its path as the page sees it, and where it is. */
export interface OfferedFile {
  readonly name: string;
  readonly path: string;
}

export interface StudioServer {
  readonly address: string; // with the file to open, if there is one
  close(): Promise<void>;
}

export interface StudioServerOptions {
  readonly folder: string; // of the built site
  readonly files: readonly OfferedFile[];
  readonly port: number; // 0: any free one
  readonly edit?: boolean; // the address leads to the shape editor
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};

/** Exact clocks and shared memory are for pages that are isolated from all others. */
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
};

/** Serves the studio to this computer only: the site, and under /served the files that were named. */
export async function serveStudio(options: StudioServerOptions): Promise<StudioServer> {
  const { folder, files, port, edit } = options;
  const server = createServer((request, response) => {
    answer(request, response, folder, files).catch(() => response.destroy());
  });
  await listen(server, port);
  const { port: found } = server.address() as AddressInfo;
  const scene = edit ? 'editor' : files.length > 0 ? 'inspector' : undefined;
  const link = scene === undefined ? '' : `#scene=${scene}${files.length > 0 ? '&open=served' : ''}`;
  return {
    address: `http://localhost:${found}/${link}`,
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

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  folder: string,
  files: readonly OfferedFile[],
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return refuse(response, 405);
  if (!isOurs(request.headers.host)) return refuse(response, 403); // another name for this computer: not us
  const path = decodePath(request.url ?? '/');
  if (path === undefined) return refuse(response, 400);
  if (path === '/served/index.json') {
    const text = JSON.stringify({ files: files.map(({ name }) => name) });
    response.writeHead(200, { ...HEADERS, 'Content-Type': TYPES['.json'], 'Cache-Control': 'no-store' });
    response.end(text);
    return;
  }
  const served = /^\/served\/(\d{1,6})$/.exec(path);
  if (served) return send(request, response, files[Number(served[1])]?.path, 'no-store');
  const wanted = normalize(join(folder, path === '/' ? 'index.html' : path));
  if (!wanted.startsWith(folder + sep)) return refuse(response, 404);
  const isForever = path.startsWith('/assets/'); // names there hold a hash of the content
  return send(request, response, wanted, isForever ? 'max-age=31536000, immutable' : 'no-cache');
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  path: string | undefined,
  caching: string,
): Promise<void> {
  const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
  if (path === undefined || !found?.isFile()) return refuse(response, 404);
  response.writeHead(200, {
    ...HEADERS,
    'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream',
    'Content-Length': found.size,
    'Cache-Control': caching,
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  createReadStream(path)
    .on('error', () => response.destroy())
    .pipe(response);
}

function refuse(response: ServerResponse, code: number): void {
  response.writeHead(code, { ...HEADERS, 'Content-Type': 'text/plain' });
  response.end(`${code}\n`);
}

function isOurs(host: string | undefined): boolean {
  return /^(localhost|127\.0\.0\.1)(:\d+)?$/.test(host ?? '');
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
