export { bodyFromObject3D, type ObjectBody, type ObjectBodyOptions } from './body-from-object.ts';
export { CollisionHelper, type CollisionHelperOptions } from './collision-helper.ts';
export { useCertificates } from './use-certificates.ts';
