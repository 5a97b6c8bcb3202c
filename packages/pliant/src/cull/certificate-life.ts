import type { Body } from '../body/body.ts';
import { InputError } from '../mesh/input-error.ts';
import type { Certificate } from './certificate.ts';

/** Kernel memory that certificates of several bodies of one mesh may have in common. */
interface KeptPart {
  free(): void;
}

/**
 * How a prepared certificate ends: when it is disposed of, when its body is, or when the engine is. Its parts in kernel
 * memory are freed when the last certificate that uses them has ended.
 */
export class CertificateLife {
  readonly #certificate: Certificate;
  readonly #body: Body;
  readonly #parts: readonly KeptPart[];
  #hasEnded = false;

  constructor(certificate: Certificate, body: Body, parts: readonly KeptPart[] = []) {
    this.#certificate = certificate;
    this.#body = body;
    this.#parts = parts;
    for (const part of parts) body.resident.keep(part);
    if (parts.length > 0) body.adopt(certificate as Required<Pick<Certificate, 'dispose'>>);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Throws InputError 'disposed' once the certificate has been disposed of. */
  check(): void {
    if (this.#hasEnded) throw new InputError('disposed', 'this certificate has been disposed of');
  }

  /** Once: takes the certificate from its body and frees what nobody else uses. Error 'busy' while a query uses the body. */
  end(): void {
    if (this.#hasEnded) return;
    this.#body.abandon(this.#certificate);
    this.#hasEnded = true;
    for (const part of this.#parts) this.#body.resident.letGo(part);
  }
}
