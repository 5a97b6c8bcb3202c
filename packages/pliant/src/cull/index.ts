export type { Certificate } from './certificate.ts';
