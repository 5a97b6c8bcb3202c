export {
  type AsyncBlendCertificateOptions,
  type BlendCertificate,
  type BlendCertificateOptions,
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
} from './blend-certificate.ts';
export type { Certificate } from './certificate.ts';
export type { GaugeKind } from './subspace/gauge.ts';
export type { Metric } from './subspace/mode-shapes.ts';
export {
  type AsyncSubspaceCertificateOptions,
  prepareSubspaceCertificate,
  prepareSubspaceCertificateAsync,
  type SubspaceBall,
  type SubspaceCertificate,
  type SubspaceCertificateOptions,
} from './subspace/subspace-certificate.ts';
