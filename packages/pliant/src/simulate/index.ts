export { ClothBody, type ClothBodyOptions } from './cloth-body.ts';
export { ClothSurface } from './cloth-surface.ts';
export { ElasticBody, type ElasticBodyOptions } from './elastic-body.ts';
export { ElasticModel, type ElasticOptions } from './elastic-model.ts';
export type { LongWork } from './long-work.ts';
export { type Material, SOFT_RUBBER } from './material.ts';
export {
  type ComputeModesOptions,
  computeModes,
  createElasticSystem,
  type ElasticSystem,
  type ElasticSystemOptions,
  type EnergyScalingOptions,
  type MassProduct,
  type ModalDerivatives,
  type ModalDerivativesOptions,
  type ModalTimes,
  type ModeScaling,
  massPca,
  modalDerivatives,
  type NonlinearBasisOptions,
  NotConverged,
  NotPositiveDefinite,
  nonlinearBasis,
  nonlinearBasisAsync,
  type OrthonormalModes,
  orthonormaliseModes,
  type PolynomialModes,
  type PrincipalModes,
  type PrincipalOptions,
  polynomialModes,
  reduceSystem,
  type SequenceOptions,
  type SolverOptions,
  scaleByDisplacement,
  scaleByEnergy,
  scaleByMass,
  scaleByPoses,
  sequenceModes,
  surfaceModes,
  systemMass,
  type VibrationModes,
  vertexMasses,
} from './modes/index.ts';
export { type NodeContactOptions, NodeContacts } from './node-contacts.ts';
export type { BallObstacle, Obstacle, PlaneObstacle } from './obstacle.ts';
export type { ContactEvent } from './reduced/contact-forces.ts';
export type { RayleighDamping } from './reduced/damping.ts';
export { ModalOscillators } from './reduced/modal-oscillators.ts';
export { ReducedBody, type ReducedBodyOptions } from './reduced/reduced-body.ts';
export {
  createLinearElasticity,
  createReducedElasticity,
  createReducedElasticityAsync,
  ReducedElasticity,
  type ReducedWork,
} from './reduced/reduced-elasticity.ts';
export {
  createReducedModel,
  createReducedModelAsync,
  ReducedModel,
  type ReducedModelSource,
} from './reduced/reduced-model.ts';
export { ReducedScene, type ReducedSceneOptions, type SceneBodyOptions } from './reduced/reduced-scene.ts';
export type { ReducedSource } from './reduced/reduced-source.ts';
export type { ElasticCoefficients } from './reduced/stvk-assembly.ts';
export { type NodeSample, type SampleOptions, sampleNodes } from './sample-nodes.ts';
export {
  BodyDrop,
  type BodyDropOptions,
  type BodyDropTimes,
  createBodyDrop,
  createDropModel,
  type DropModel,
  rehearseDrop,
} from './scenes/body-drop.ts';
export { createCrowdScene } from './scenes/crowd.ts';
export { createFishScene } from './scenes/fish.ts';
export { createHangingScene, type HangingOptions } from './scenes/hanging.ts';
export type { SoftBody, SoftScene, SoftSceneOptions } from './scenes/soft-scene.ts';
export {
  createSpringDrop,
  SpringDrop,
  type SpringDropOptions,
  type SpringDropTimes,
} from './scenes/spring-drop.ts';
export { ModalSoundBank } from './sound/modal-sound-bank.ts';
export { SceneSound } from './sound/scene-sound.ts';
export { type ResonatorData, SoundModel, type SoundModelOptions } from './sound/sound-model.ts';
export {
  createSoundWorkletSource,
  LiveSound,
  SOUND_PROCESSOR,
  type SoundMessage,
} from './sound/sound-worklet.ts';
export { encodeWav, normaliseSound, type WavOptions } from './sound/wav.ts';
export { createSurfaceWeights, type SurfaceWeightOptions } from './surface-weights.ts';
