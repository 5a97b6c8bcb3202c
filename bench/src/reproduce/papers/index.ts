import type { Paper } from '../paper.ts';
import { escc } from './escc.ts';
import { kavan } from './kavan.ts';
import { li } from './li.ts';
import { sscc } from './sscc.ts';
import { steinemann } from './steinemann.ts';

export const PAPERS: readonly Paper[] = [kavan, steinemann, sscc, escc, li];
