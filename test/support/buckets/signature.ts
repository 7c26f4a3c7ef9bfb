// Computes the signature (AWS Signature Version 4) that a request should carry, from the description of the algorithm alone.
import { createHash, createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

const canonicalQuery = (url: URL): string =>
  [...url.searchParams]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');

const canonicalPath = (url: URL): string =>
  url.pathname
    .split('/')
    .map((part) => encoded(decodeURIComponent(part)))
    .join('/');

export interface Credentials {
  readonly keyId: string;
  readonly secret: string;
}

const HEADER =
  /^AWS4-HMAC-SHA256 Credential=(?<keyId>[^/]+)\/(?<day>\d{8})\/(?<region>[^/]+)\/s3\/aws4_request, SignedHeaders=(?<signed>[^,]+), Signature=(?<signature>[0-9a-f]{64})$/;

export interface SignedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** The code of the refusal, as the service names it; null: the signature is right and covers the body. */
export const signatureFault = (
  request: SignedRequest,
  body: Buffer,
  { keyId, secret }: Credentials,
): string | null => {
  const { headers, method = '' } = request;
  const found = HEADER.exec(headers.authorization ?? '')?.groups;
  if (!found) return 'AccessDenied';
  if (found.keyId !== keyId) return 'InvalidAccessKeyId';
  const bodyHash = String(headers['x-amz-content-sha256']);
  if (bodyHash !== sha256(body)) return 'XAmzContentSHA256Mismatch';
  const names = (found.signed ?? '').split(';');
  if (!names.includes('host') || !names.includes('x-amz-content-sha256')) return 'AccessDenied';
  const url = new URL(request.url ?? '/', 'http://bucket.example');
  const canonical = [
    method,
    canonicalPath(url),
    canonicalQuery(url),
    ...names.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const time = String(headers['x-amz-date']);
  const scope = `${found.day}/${found.region}/s3/aws4_request`;
  const dayKey = hmac(
    hmac(hmac(hmac(`AWS4${secret}`, found.day ?? ''), found.region ?? ''), 's3'),
    'aws4_request',
  );
  const wanted = hmac(dayKey, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString(
    'hex',
  );
  return wanted === found.signature ? null : 'SignatureDoesNotMatch';
};
