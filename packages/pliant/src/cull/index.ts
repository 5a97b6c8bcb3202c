export type { Verification } from '../verify/verification.ts';
export {
  type AsyncVerifyOptions,
  type VerifyOptions,
  verifyCertificates,
  verifyCertificatesAsync,
} from '../verify/verify-certificates.ts';
export {
  CULLING_KINDS,
  type CullingChoice,
  type CullingKind,
  type CullingSubject,
  type CullingUse,
  chooseCertificate,
} from './auto/choose-certificate.ts';
export {
  type AsyncCertificatesOptions,
  type CertificatesOptions,
  type PreparedCertificates,
  prepareCertificates,
  prepareCertificatesAsync,
} from './auto/prepare-certificates.ts';
export {
  type AsyncBlendCertificateOptions,
  type BlendCertificate,
  type BlendCertificateOptions,
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
} from './blend-certificate.ts';
export type { Certificate } from './certificate.ts';
export { clearedSizes } from './cleared-sizes.ts';
export {
  type AsyncEnergyCertificateOptions,
  type EnergyCertificate,
  type EnergyCertificateOptions,
  prepareEnergyCertificate,
  prepareEnergyCertificateAsync,
} from './energy/energy-certificate.ts';
export {
  type AsyncReducedEnergyCertificateOptions,
  type EnergyMetric,
  prepareReducedEnergyCertificate,
  prepareReducedEnergyCertificateAsync,
  type ReducedEnergyCertificate,
  type ReducedEnergyCertificateOptions,
} from './reduced-energy/reduced-energy-certificate.ts';
export { fitMetric, fitMetricAsync, type MetricOptions } from './subspace/fit-metric.ts';
export type { GaugeKind } from './subspace/gauge.ts';
export type { Metric } from './subspace/mode-shapes.ts';
export type { PartOptions } from './subspace/part-store.ts';
export {
  type AsyncSubspaceCertificateOptions,
  prepareSubspaceCertificate,
  prepareSubspaceCertificateAsync,
} from './subspace/prepare-subspace.ts';
export type { SubspaceBall, SubspaceCertificate } from './subspace/subspace-certificate.ts';
export type { SubspaceCertificateOptions } from './subspace/subspace-settings.ts';
