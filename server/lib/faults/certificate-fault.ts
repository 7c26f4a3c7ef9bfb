// Faults of the certificate of a server, recognised by the codes of Node and OpenSSL.
import { codesOf } from './storage-fault.ts';

const CERTIFICATE = /^(?:SELF_SIGNED_CERT|DEPTH_ZERO|UNABLE_TO_|CERT_|ERR_TLS_CERT)/;

/** True: no authority that this process knows vouches for the server under the name that was asked. */
export const isCertificateFault = (error: unknown): boolean => {
  const { code } = codesOf(error);
  return typeof code === 'string' && CERTIFICATE.test(code);
};
