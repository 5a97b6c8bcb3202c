export { Body, type Pose } from './body/body.ts';
export { type BodyOptions, Engine } from './body/engine.ts';
export type { Certificate } from './cull/certificate.ts';
export type { BlendPose } from './deform/blend.ts';
export type { Modes, Skin } from './deform/blend-data.ts';
export { embedInTetrahedra, type TetrahedralEmbedding } from './deform/embed-in-tetrahedra.ts';
export type { Embedding } from './deform/embedded.ts';
export type { Meshless, MeshlessPose } from './deform/meshless.ts';
export {
  type PoolOption,
  type TaskKind,
  type TaskOptions,
  type TaskPool,
  WorkerStopped,
} from './long-work/task-pool.ts';
export { InputError, type InputErrorCode } from './mesh/input-error.ts';
export {
  createTetrahedralMesh,
  type TetrahedralMesh,
} from './mesh/tetrahedral-mesh.ts';
export {
  createTriangleMesh,
  type MeshDefects,
  type TriangleMesh,
  type TriangleMeshSource,
  type VertexAttribute,
  type VertexTriangles,
} from './mesh/triangle-mesh.ts';
export type { Contact } from './narrow/continuous-contact.ts';
export { edgeEdgeContact } from './narrow/edge-edge.ts';
export { intersectionSegment } from './narrow/intersection-segment.ts';
export { triangleDistance } from './narrow/triangle-distance.ts';
export { trianglesIntersect } from './narrow/triangle-triangle.ts';
export { vertexFaceContact } from './narrow/vertex-face.ts';
export {
  type AllCollisionsOptions,
  type AllProgress,
  findAllCollisions,
  findAllCollisionsAsync,
} from './query/all-collisions.ts';
export { type AnyCollisionOptions, findAnyCollision, findAnySelfCollision } from './query/any-collision.ts';
export {
  type AsyncOptions,
  findCollisionsAsync,
  findSelfCollisionsAsync,
} from './query/async.ts';
export { findCollisions } from './query/collisions.ts';
export { type ContactSegments, findContactSegments } from './query/contact-segments.ts';
export {
  type CloseOptions,
  findClosePairs,
  findNearest,
  findSelfClosePairs,
  findSelfNearest,
  type Nearest,
  type NearestOptions,
} from './query/nearest.ts';
export type { Budget, QueryOptions, SelfCollisionOptions } from './query/options.ts';
export { findSelfCollisions } from './query/self-collisions.ts';
export type { Bounds } from './refit/bounds.ts';
export type { BoundsName } from './refit/choose-bounds.ts';
export { CollisionReport, type Counters, type Method, type ReportState } from './report/collision-report.ts';
export { PairBuffer } from './report/pair-buffer.ts';
export type { Tree } from './tree/tree.ts';
export { createEngine, type EngineOptions } from './worker/create-engine.ts';
export { createTaskPool, type TaskPoolOptions } from './worker/create-task-pool.ts';
export type { ThreadWorker } from './worker/start-worker.ts';
