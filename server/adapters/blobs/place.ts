// The places where originals may be stored, as the settings say.
import type { BucketPlace } from '../../lib/buckets/bucket-client.ts';

/** A bucket with the beginning of the names in it: "" or "memoir/". */
export interface BlobBucket extends BucketPlace {
  readonly prefix: string;
}

export interface BlobPlace {
  /** The folder of the originals on this machine. */
  readonly folder: string;
  /** The folder for copies while they are sent or read. */
  readonly scratch: string;
  /** Null: the folder alone. */
  readonly bucket: BlobBucket | null;
}
