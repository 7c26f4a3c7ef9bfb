// The failure of a request to a bucket, with what its owner has to look at.

/**
 * `refused`: the key is wrong or has no right. `missing`: there is no such bucket. `misplaced`: the bucket is in another
 * region or at another address. `away`: the service does not answer, or answers that it cannot now. `untrusted`: nobody that this
 * process knows vouches for its certificate.
 */
export type BucketFault = 'refused' | 'missing' | 'misplaced' | 'away' | 'untrusted';

export class BucketError extends Error {
  readonly fault: BucketFault;

  constructor(fault: BucketFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BucketError';
    this.fault = fault;
  }
}

/** A later try may succeed. */
export const mayPass = (status: number): boolean => status === 429 || status >= 500;

/** `code`: of the answer, as in "SignatureDoesNotMatch". */
export const faultOfStatus = (status: number, code: string): BucketFault => {
  if (status === 404) return 'missing';
  if (status >= 300 && status < 400) return 'misplaced';
  if (mayPass(status)) return 'away';
  return code === 'AuthorizationHeaderMalformed' || code === 'PermanentRedirect' ? 'misplaced' : 'refused';
};
