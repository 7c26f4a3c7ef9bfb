// A service account of Google: a key file in place of a sign-in. It signs a request for a token of an hour.
import { createPrivateKey, createSign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Grant, SourceCredentials } from '../port.ts';
import { SourceError } from '../source-error.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const HOUR_S = 3600;
const SECOND_MS = 1000;

const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
});

const tokenAnswer = z.object({ access_token: z.string().min(1), expires_in: z.number() });

interface ServiceAccount {
  readonly email: string;
  readonly key: KeyObject;
}

/** Null: this is no key file of a service account. */
const readServiceAccount = (text: string): ServiceAccount | null => {
  try {
    const { client_email: email, private_key: key } = keyFile.parse(JSON.parse(text));
    return { email, key: createPrivateKey(key) };
  } catch {
    // The text is a secret, and so the reason is not shown.
    return null;
  }
};

/** A sentence for people; null: there is no key file, or a good one. */
export const checkServiceAccount = ({ secrets }: Grant): string | null =>
  secrets.serviceAccount === undefined || readServiceAccount(secrets.serviceAccount) !== null
    ? null
    : 'metadata.serviceAccount must be the JSON text of the key file of a Google service account, as it was downloaded.';

const base64url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signedClaims = (
  { email, key }: ServiceAccount,
  scopes: readonly string[],
  subject: string,
  now: number,
): string => {
  const issued = Math.floor(now / SECOND_MS);
  const claims = {
    ...{ iss: email, scope: scopes.join(' '), aud: TOKEN_URL, iat: issued, exp: issued + HOUR_S },
    ...(subject === '' ? {} : { sub: subject }),
  };
  const signed = `${base64url({ alg: 'RS256', typ: 'JWT' })}.${base64url(claims)}`;
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(key, 'base64url')}`;
};

const refusedAccount = (email: string, subject: string, status: number): SourceError =>
  new SourceError(
    'auth_expired',
    subject === ''
      ? `Google refused the service account ${email}. Check that its key still exists.`
      : `Google refused the service account ${email} for ${subject}. Check that its key still exists, and that the administrator granted its client id domain-wide delegation for the scopes of this source.`,
    { status },
  );

/** Null: the connection has no service account. */
export const serviceAccountCredentials = (
  { metadata, secrets }: Grant,
  scopes: readonly string[],
  now: () => number = Date.now,
): SourceCredentials | null => {
  const account = secrets.serviceAccount === undefined ? null : readServiceAccount(secrets.serviceAccount);
  if (account === null) return null;
  const subject = String(metadata.subject ?? '');
  return {
    kind: 'own-token',
    async get(ask, signal) {
      const assertion = signedClaims(account, scopes, subject, now());
      const answer = await ask(
        TOKEN_URL,
        {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({
            grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
            assertion,
          }).toString(),
          accept: [400, 401],
          template: '/token',
        },
        signal,
      );
      if (answer.status !== 200) {
        answer.discard();
        throw refusedAccount(account.email, subject, answer.status);
      }
      const { access_token: token, expires_in: seconds } = tokenAnswer.parse(await answer.json());
      return { token, endsAt: now() + seconds * SECOND_MS };
    },
  };
};
