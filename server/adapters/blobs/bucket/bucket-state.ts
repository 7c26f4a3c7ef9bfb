// Remembers whether the bucket answered last, for the health.
import { BucketError } from '../../../lib/buckets/bucket-error.ts';

export interface BucketState {
  /** Work with the bucket, whose failure is explained and has that of the bucket as its cause. */
  watched<T>(work: () => Promise<T>): Promise<T>;
  /** The sentence of the last failure; null: the bucket answers. While it fails, each question asks the bucket again. */
  trouble(): string | null;
}

/** `ask` is a request that changes nothing. */
export const createBucketState = (ask: () => Promise<unknown>): BucketState => {
  let trouble: string | null = null;
  let isAsking = false;
  const answered = (): void => {
    trouble = null;
  };
  return {
    async watched(work) {
      try {
        const done = await work();
        answered();
        return done;
      } catch (error) {
        if (error instanceof Error && error.cause instanceof BucketError) trouble = error.message;
        throw error;
      }
    },
    trouble() {
      if (trouble !== null && !isAsking) {
        isAsking = true;
        ask()
          .then(answered, () => undefined)
          .finally(() => {
            isAsking = false;
          });
      }
      return trouble;
    },
  };
};
