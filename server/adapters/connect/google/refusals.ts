// The reasons that Google's services give for a refusal: several of them share the status 403.
import { fieldsOf } from '../../../lib/objects.ts';
import type { RefusalVerdict } from '../port.ts';
import { SourceError } from '../source-error.ts';

const THROTTLED = new Set([
  'userRateLimitExceeded',
  'rateLimitExceeded',
  'quotaExceeded',
  'dailyLimitExceeded',
  'sharingRateLimitExceeded',
]);
const SIGNED_OUT = new Set(['insufficientPermissions', 'insufficientScopes', 'authError']);

const FINAL: Readonly<Record<string, (status: number) => SourceError>> = {
  accessNotConfigured: (status) =>
    new SourceError(
      'bad_options',
      'Google refused the requests because this API is not enabled in the Google Cloud project of the application. Enable it under "APIs & Services" there, wait some minutes, and sync again.',
      { status },
    ),
  exportSizeLimitExceeded: (status) =>
    new SourceError('too_large', 'Google exports no more than 10 MB of a document.', { status }),
  cannotDownloadAbusiveFile: (status) =>
    new SourceError('forbidden', 'Google marks this file as harmful, so it was not read.', { status }),
  cannotDownloadFile: (status) =>
    new SourceError('forbidden', 'The owner does not allow downloads of this file.', { status }),
  domainPolicy: (status) =>
    new SourceError(
      'bad_options',
      'The administrator of this Google Workspace does not allow the application. Ask for it to be allowed in the admin console.',
      { status },
    ),
};

const reasonIn = (body: string): string => {
  try {
    const { errors } = fieldsOf(fieldsOf(JSON.parse(body)).error);
    const reason = Array.isArray(errors) ? fieldsOf(errors[0]).reason : undefined;
    return typeof reason === 'string' ? reason : '';
  } catch {
    // A page of a proxy has no reason; the status decides.
    return '';
  }
};

export const judgeGoogleRefusal = (status: number, body: string): RefusalVerdict | SourceError => {
  if (status !== 403) return null;
  const reason = reasonIn(body);
  if (THROTTLED.has(reason)) return 'throttled';
  if (SIGNED_OUT.has(reason)) return 'signed_out';
  return FINAL[reason]?.(status) ?? null;
};
