/** What Redis answers. Texts of unknown content stay bytes: they may be parts of files. */
export type Reply = Buffer | string | number | null | RedisError | Reply[];
export type Argument = string | number | Uint8Array;

/** Redis has understood a command and refuses it. The first word is its code, such as WRONGPASS. */
export class RedisError extends Error {
  override readonly name = 'RedisError';
}

/** A command as Redis reads it: an array of texts, each with its length. Large arguments are not copied. */
export function encodeCommand(args: readonly Argument[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let text = `*${args.length}\r\n`;
  for (const arg of args) {
    if (arg instanceof Uint8Array) {
      pieces.push(Buffer.from(`${text}$${arg.length}\r\n`), arg);
      text = '\r\n';
    } else {
      const value = String(arg);
      text += `$${Buffer.byteLength(value)}\r\n${value}\r\n`;
    }
  }
  pieces.push(Buffer.from(text));
  return pieces;
}

/** Puts replies together from what comes over the wire, in pieces of any size. */
export class ReplyReader {
  #pieces: Buffer[] = [];
  #size = 0;
  #needed = 1; // bytes before another look is worth it

  /** Every reply that is complete with `piece`. */
  push(piece: Buffer): Reply[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size < this.#needed) return [];
    const bytes = this.#pieces.length === 1 ? piece : Buffer.concat(this.#pieces, this.#size);
    const cursor = new Cursor(bytes);
    const replies: Reply[] = [];
    let end = 0;
    for (let reply = cursor.read(); reply !== undefined; reply = cursor.read()) {
      replies.push(reply);
      end = cursor.at;
    }
    const rest = bytes.subarray(end);
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#size = rest.length;
    this.#needed = Math.max(rest.length + 1, cursor.needed - end);
    return replies;
  }
}

const DEEPEST = 32;

class Cursor {
  at = 0;
  needed = 0; // bytes, from the start, that the reply which is cut short has at least
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Undefined when the reply is not complete yet. */
  read(depth = 0): Reply | undefined {
    const bytes = this.#bytes;
    const lineEnd = bytes.indexOf('\r\n', this.at);
    if (lineEnd < 0) return undefined;
    const kind = bytes[this.at];
    const line = bytes.toString('utf8', this.at + 1, lineEnd);
    this.at = lineEnd + 2;
    if (kind === PLUS) return line;
    if (kind === MINUS) return new RedisError(line);
    const count = Number(line);
    if (!Number.isSafeInteger(count) || depth > DEEPEST)
      throw new Error('this does not answer as Redis does');
    if (kind === COLON) return count;
    if (kind === DOLLAR) return this.#readBytes(count);
    if (kind === STAR) return this.#readArray(count, depth);
    throw new Error('this does not answer as Redis does');
  }

  #readBytes(count: number): Buffer | null | undefined {
    if (count < 0) return null;
    const from = this.at;
    this.at += count + 2;
    if (this.at <= this.#bytes.length) return this.#bytes.subarray(from, from + count);
    this.needed = this.at;
    return undefined;
  }

  #readArray(count: number, depth: number): Reply[] | null | undefined {
    if (count < 0) return null;
    const items: Reply[] = [];
    for (let k = 0; k < count; k++) {
      const item = this.read(depth + 1);
      if (item === undefined) return undefined;
      items.push(item);
    }
    return items;
  }
}

const PLUS = 43;
const MINUS = 45;
const COLON = 58;
const DOLLAR = 36;
const STAR = 42;

/** Bytes as text, all the way down. */
export function asText(reply: Reply): Reply {
  if (Buffer.isBuffer(reply)) return reply.toString('utf8');
  return Array.isArray(reply) ? reply.map(asText) : reply;
}
