import type { Bench } from '../bench.ts';
export const trees: Bench = { name: 'trees', summary: '', cases: [], run: async () => ({ rows: [], notes: [] }) };
