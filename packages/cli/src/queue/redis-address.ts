import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { CommandError } from '../command-error.ts';
import { noteRead, reasonOf } from '../scene/read-file.ts';

/** Where Redis is, and who we are to it. */
export interface RedisAddress {
  readonly host: string;
  readonly port: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly database: number;
  readonly tls: ConnectionOptions | undefined;
  /** For messages: without user and password. */
  readonly label: string;
}

/** The files of TLS options. */
export interface TlsFiles {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

const PASSWORD = 'PLIANT_QUEUE_PASSWORD';
const FORM = 'must be like redis://host:6379 or rediss://user@host:6380/0';

/** Parts of `redis://user:password@host:port/database`. What is wrong is said without repeating the address. */
export async function redisAddress(text: string, files: TlsFiles): Promise<RedisAddress> {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new CommandError(`--queue ${FORM}`);
  }
  const isSecure = url.protocol === 'rediss:';
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  if (
    !(isSecure || url.protocol === 'redis:') ||
    url.hostname === '' ||
    database === undefined ||
    url.search
  ) {
    throw new CommandError(`--queue ${FORM}`);
  }
  if (!isSecure && (files.ca ?? files.cert ?? files.key) !== undefined) {
    throw new CommandError('--queue-ca, --queue-cert and --queue-key need --queue rediss://…');
  }
  if ((files.cert === undefined) !== (files.key === undefined)) {
    throw new CommandError('--queue-cert and --queue-key belong together');
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1'); // IPv6
  const port = url.port === '' ? 6379 : Number(url.port);
  const decode = (part: string) => {
    try {
      return part === '' ? undefined : decodeURIComponent(part);
    } catch {
      throw new CommandError('--queue: user or password is not well encoded; % is written %25');
    }
  };
  return {
    host,
    port,
    username: decode(url.username),
    password: decode(url.password) ?? (process.env[PASSWORD] || undefined),
    database: Number(database),
    tls: isSecure ? await tlsOptions(host, files) : undefined,
    label: `${url.protocol}//${url.hostname}:${port}${Number(database) > 0 ? `/${Number(database)}` : ''}`,
  };
}

async function tlsOptions(host: string, { ca, cert, key }: TlsFiles): Promise<ConnectionOptions> {
  const isName = !/^[\d.]+$|:/.test(host); // SNI is for names only
  return {
    ca: await read('--queue-ca', ca),
    cert: await read('--queue-cert', cert),
    key: await read('--queue-key', key),
    servername: isName ? host : undefined,
  };
}

async function read(option: string, path: string | undefined): Promise<Buffer | undefined> {
  if (path === undefined) return undefined;
  try {
    noteRead(path);
    return await readFile(path);
  } catch (error) {
    throw new CommandError(`${option} ${path}: ${reasonOf(error)}`);
  }
}
