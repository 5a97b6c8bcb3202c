export { createEnergy, type EnergyOptions, type ResidentEnergy } from './arap/energy.ts';
export {
  createShapeBasis,
  type HierarchyOptions,
  type ReadShapeBasisOptions,
  readShapeBasis,
  ShapeBasis,
  type ShapeBasisOptions,
  writeShapeBasis,
} from './basis/index.ts';
export {
  type AsyncCageOptions,
  type CageOptions,
  type CageReport,
  type CageSource,
  createCage,
  createCageAsync,
  type ReportedCage,
} from './cage.ts';
export type { AsyncCageCertificateOptions } from './contact/cage-certificate.ts';
export type {
  BoxObstacle,
  CapsuleObstacle,
  MeshObstacle,
  PlaneObstacle,
  ShapeObstacle,
  SphereObstacle,
} from './contact/obstacle.ts';
export type { ControlState, Handle, Pin, RegionHandle } from './controls.ts';
export {
  type ContactCount,
  Correction,
  type CorrectionOptions,
  type CorrectionReport,
  type CorrectionState,
  createCorrection,
  createPoseContacts,
  type MorphTargetOptions,
  PoseContacts,
  type PoseContactsOptions,
  type PosedMesh,
  type TouchingPairs,
} from './corrective/index.ts';
export { createShape } from './create-shape.ts';
export { type RestoreShapeOptions, restoreShape } from './restore-shape.ts';
export { Shape, type ShapeContact, type ShapeState, type StepReport } from './shape.ts';
export type { ShapeContactOptions, ShapeOptions, ShapeSettings } from './shape-options.ts';
export type { PoseState, StageTimes } from './shape-solver.ts';
export type { Cage, ContactRow, ShapeEnergy, ShapePoint, Ties } from './types.ts';
