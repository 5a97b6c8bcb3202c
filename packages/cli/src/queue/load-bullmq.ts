import { CommandError } from '../command-error.ts';

export type BullMq = typeof import('bullmq');

/** BullMQ is an optional dependency: large, and needed for queues only. */
export async function loadBullMq(): Promise<BullMq> {
  try {
    const module = (await import('bullmq')) as BullMq & { default?: BullMq };
    return module.Queue === undefined ? module.default! : module;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
    if (isMissing) throw new CommandError('--queue needs the package bullmq: npm install bullmq');
    throw error;
  }
}
