// The failure of a bucket as a sentence that says what to do, for the caller of an upload and for the owner of a document.
import { IngestError, type MemoirError, unavailable } from '../../../core/errors.ts';
import { BucketError, type BucketFault } from '../../../lib/buckets/bucket-error.ts';

const RETRY = { 'retry-after': '30', 'x-should-retry': 'true' };

const REMEDY: Readonly<Record<BucketFault, string>> = {
  refused:
    'Check MEMOIR_BLOBS_KEY_ID and MEMOIR_BLOBS_SECRET, and that this key may read, write, list and delete in the bucket',
  missing: 'Create the bucket, or correct MEMOIR_BLOBS_URL',
  misplaced: 'Set MEMOIR_BLOBS_REGION and MEMOIR_BLOBS_ENDPOINT to the place of the bucket',
  away: 'Check MEMOIR_BLOBS_ENDPOINT and the network, or wait until the service is back',
  untrusted:
    'Name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS, and the host in MEMOIR_BLOBS_ENDPOINT as the certificate names it',
};

const reasonOf = ({ fault, message }: BucketError, address: string): string => {
  if (fault === 'away') return `${address} does not answer (${message})`;
  if (fault === 'untrusted') return `${address} has a certificate that is not trusted (${message})`;
  return `${address} answered ${message}`;
};

/** For work that a caller waits for; any other error stays as it is. */
export const explainedBucket = async <T>(
  { address, doing }: { address: string; doing: string },
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BucketError)) throw error;
    throw bucketTrouble(error, address, doing);
  }
};

const bucketTrouble = (error: BucketError, address: string, doing: string): MemoirError =>
  unavailable(`${doing}: ${reasonOf(error, address)}. ${REMEDY[error.fault]}.`, {
    cause: error,
    headers: RETRY,
  });

/** For the reading of a document, which is tried again until the bucket is well. */
export const unreadableOriginal = (error: unknown, address: string): unknown =>
  error instanceof BucketError
    ? new IngestError(
        'original_unavailable',
        `The original could not be fetched, because the bucket ${reasonOf(error, address)}. It is tried again. ${REMEDY[error.fault]}.`,
        { retryable: true, byProvider: true, cause: error },
      )
    : error;

export const missingOriginal = (): IngestError =>
  new IngestError(
    'original_missing',
    'The original of this document is not in the bucket any more. Send the file again.',
  );
