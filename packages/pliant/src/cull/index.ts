export {
  type AsyncBlendCertificateOptions,
  type BlendCertificate,
  type BlendCertificateOptions,
  prepareBlendCertificate,
  prepareBlendCertificateAsync,
} from './blend-certificate.ts';
export type { Certificate } from './certificate.ts';
