export { bodyFromObject3D, type ObjectBody } from './body-from-object.ts';
export { CollisionHelper, type CollisionHelperOptions } from './collision-helper.ts';
export { useCertificates } from './use-certificates.ts';
