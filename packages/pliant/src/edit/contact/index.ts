export {
  type AsyncCageCertificateOptions,
  CageCertificate,
  type CageCertificateOptions,
  prepareCageCertificate,
  prepareCageCertificateAsync,
} from './cage-certificate.ts';
export { ContactFinder, type ContactState } from './contact-finder.ts';
export type { ContactOptions } from './contact-options.ts';
export { ContactRows, EDGE_EDGE, VERTEX_FACE, VERTEX_OBSTACLE } from './contact-rows.ts';
export type {
  BoxObstacle,
  CapsuleObstacle,
  MeshObstacle,
  PlaneObstacle,
  ShapeObstacle,
  SphereObstacle,
} from './obstacle.ts';
