import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asText, encodeCommand, RedisError, type Reply, ReplyReader } from '../../src/queue/resp.ts';

const RUNS = process.env.PLIANT_FULL ? 2_000 : 200;

/** How Redis writes a reply. */
function written(reply: Reply): Buffer {
  if (reply === null) return Buffer.from('$-1\r\n');
  if (typeof reply === 'number') return Buffer.from(`:${reply}\r\n`);
  if (typeof reply === 'string') return Buffer.from(`+${reply}\r\n`);
  if (reply instanceof RedisError) return Buffer.from(`-${reply.message}\r\n`);
  if (Array.isArray(reply))
    return Buffer.concat([Buffer.from(`*${reply.length}\r\n`), ...reply.map(written)]);
  return Buffer.concat([Buffer.from(`$${reply.length}\r\n`), reply, Buffer.from('\r\n')]);
}

const { reply } = fc.letrec<{ reply: Reply; leaf: Reply }>((tie) => ({
  leaf: fc.oneof(
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom('OK', '', 'PONG'),
    fc.integer(),
    fc.constant(null),
    fc.constant(new RedisError('WRONGTYPE of key')),
  ),
  reply: fc.oneof({ depthSize: 'small' }, tie('leaf'), fc.array(tie('reply'), { maxLength: 4 })),
}));

describe('what comes over the wire', () => {
  test('is read alike, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.array(reply, { maxLength: 5 }), fc.array(fc.nat(60)), (replies, cuts) => {
        const bytes = Buffer.concat(replies.map(written));
        const reader = new ReplyReader();
        const found: Reply[] = [];
        let at = 0;
        for (const length of [...cuts, bytes.length]) {
          found.push(...reader.push(bytes.subarray(at, Math.min(bytes.length, at + length))));
          at = Math.min(bytes.length, at + length);
        }
        expect(found).toEqual(replies);
      }),
      { numRuns: RUNS },
    );
  });

  test('what is no answer of Redis is refused', () => {
    for (const text of ['HTTP/1.1 400 Bad Request\r\n', '$x\r\n', `${'*1\r\n'.repeat(50)}:1\r\n`]) {
      expect(() => new ReplyReader().push(Buffer.from(text))).toThrow('does not answer as Redis does');
    }
  });

  test('commands carry bytes as they are', () => {
    const bytes = Uint8Array.of(0, 13, 10, 255);
    const command = Buffer.concat(encodeCommand(['SET', 'ä', bytes, 7]));
    expect(command.toString('latin1')).toBe('*4\r\n$3\r\nSET\r\n$2\r\nÃ¤\r\n$4\r\n\0\r\n\xff\r\n$1\r\n7\r\n');
    const [answer] = new ReplyReader().push(command);
    expect(asText((answer as Reply[])[1])).toBe('ä');
    expect((answer as Reply[])[2]).toEqual(Buffer.from(bytes));
  });
});
