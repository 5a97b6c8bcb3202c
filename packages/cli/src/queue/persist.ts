import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionEnded, ConnectionLost } from './redis-client.ts';

const PAUSE = 50; // milliseconds

/**
 * Does it again when the connection broke in between; so it must do no harm twice. The connection itself fails with
 * another error once our patience ends.
 */
export async function persist<Result>(action: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error instanceof ConnectionEnded) throw error;
      await pause(PAUSE);
    }
  }
}
