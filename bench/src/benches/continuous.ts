import type { Bench } from '../bench.ts';
export const continuous: Bench = { name: 'continuous', summary: '', cases: [], run: async () => ({ rows: [], notes: [] }) };
