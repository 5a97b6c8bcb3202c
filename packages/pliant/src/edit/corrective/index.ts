export {
  type ContactCount,
  Correction,
  type CorrectionReport,
  type CorrectionState,
  type MorphTargetOptions,
} from './correction.ts';
export { type CorrectionOptions, createCorrection } from './create-correction.ts';
export type { TouchingPairs } from './crossings.ts';
export {
  createPoseContacts,
  PoseContacts,
  type PoseContactsOptions,
  type PosedMesh,
} from './pose-contacts.ts';
