export { type ContactCount, Correction, type CorrectionReport } from './correction.ts';
export { type CorrectionOptions, createCorrection } from './create-correction.ts';
