import { BROWSER_FLAGS, DRAWING_FLAGS, findTool } from '../../../../scripts/find-tools.mjs';

declare module 'vitest' {
  interface TaskMeta {
    /** What a test needs and a machine may lack. Skipped tests are counted by it. */
    needs?: 'browser' | 'redis' | 'openssl';
  }
}

const { path, problem } = await findTool('browser');
const isFull = Boolean(process.env.PLIANT_FULL);

export const HAS_CHROMIUM = path !== undefined;
export const CHROMIUM = path ?? `/no-browser: ${problem}`;

/** Options of tests that open pages: they are skipped where there is no browser. */
export const IN_BROWSER = { skip: !HAS_CHROMIUM, meta: { needs: 'browser' } } as const;

/** Options of tests that open pages for minutes: only with PLIANT_FULL=1. */
export const LONG_IN_BROWSER = isFull ? IN_BROWSER : { skip: true };

/** Software rendering, and no talk with the network. */
export const FLAGS = [...BROWSER_FLAGS, ...DRAWING_FLAGS, '--disable-quic'];
