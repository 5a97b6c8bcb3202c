import type { Bench } from '../bench.ts';
export const queries: Bench = { name: 'queries', summary: '', cases: [], run: async () => ({ rows: [], notes: [] }) };
