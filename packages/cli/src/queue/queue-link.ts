import type { Queue } from 'bullmq';
import { BullClient } from './bullmq-client.ts';
import { type FrameJob, QueueKeys } from './job-format.ts';
import { loadBullMq } from './load-bullmq.ts';
import type { QueueCheckSettings } from './queue-settings.ts';
import { redisAddress } from './redis-address.ts';

const EVENTS = 100; // that BullMQ keeps for onlookers; we do not need them

/** The connections of a check. */
export class QueueLink {
  readonly client: BullClient;
  readonly reader: BullClient; // waits for answers, so that others need not
  readonly queue: Queue<FrameJob>;
  readonly release: string;

  /** Fails when Redis is not there in time, or the check is interrupted before that. */
  static async open(settings: QueueCheckSettings, release: string, signal: AbortSignal): Promise<QueueLink> {
    const { url, tls, patience, name } = settings;
    const { Queue } = await loadBullMq();
    const address = await redisAddress(url, tls);
    const client = new BullClient(address, patience, 'pliant-check');
    const reader = client.duplicate();
    const stop = () => client.disconnectAll();
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      await client.connect();
      await reader.connect();
      const keys = new QueueKeys(name);
      const queue = new Queue<FrameJob>(keys.jobs(release), {
        connection: client,
        prefix: keys.prefix,
        streams: { events: { maxLen: EVENTS } },
      });
      queue.on('error', () => {}); // told to those who wait
      return new QueueLink(client, reader, queue, release);
    } catch (error) {
      client.disconnectAll();
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  private constructor(client: BullClient, reader: BullClient, queue: Queue<FrameJob>, release: string) {
    this.client = client;
    this.reader = reader;
    this.queue = queue;
    this.release = release;
  }

  /** Does not wait for Redis any longer, should it be away. */
  abandon(): void {
    for (const client of [this.client, this.reader]) if (client.status !== 'ready') client.disconnect();
  }

  /** Nothing is waited for any longer: whatever is under way fails. */
  cut(): void {
    this.client.disconnectAll();
  }

  async close(): Promise<void> {
    await this.queue.close().catch(() => {});
    this.client.disconnectAll();
  }
}
