// Chooses where originals are stored: the data folder, or a bucket.
import { createBucketBlobs } from './bucket/bucket.ts';
import { createDiskBlobs } from './disk.ts';
import type { BlobPlace } from './place.ts';
import type { BlobStore } from './port.ts';

export const openBlobs = ({ folder, scratch, bucket }: BlobPlace): BlobStore => {
  const disk = createDiskBlobs(folder);
  return bucket === null ? disk : createBucketBlobs({ ...{ bucket, scratch }, earlier: disk });
};
