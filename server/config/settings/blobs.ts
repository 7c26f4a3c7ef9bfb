// The settings of the bucket that stores originals.
import { z } from 'zod';
import type { BlobBucket } from '../../adapters/blobs/place.ts';
import { type SettingTexts, settingGroup, withoutEffect } from '../declare.ts';
import { webAddress } from '../value-types.ts';

export interface BlobsConfig {
  /** Null: originals are stored in the data folder. */
  blobs: BlobBucket | null;
}

const BUCKET = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(?<prefix>[\w./-]*))?$/;
const REGION = 'us-east-1';
const ALL = [
  'MEMOIR_BLOBS_ENDPOINT',
  'MEMOIR_BLOBS_REGION',
  'MEMOIR_BLOBS_KEY_ID',
  'MEMOIR_BLOBS_SECRET',
] as const;

const withoutKey = (given: SettingTexts): string[] => {
  if (given.MEMOIR_BLOBS_URL === undefined) return [];
  const missing = ['MEMOIR_BLOBS_KEY_ID', 'MEMOIR_BLOBS_SECRET'].filter((name) => given[name] === undefined);
  return missing.length === 0
    ? []
    : [`MEMOIR_BLOBS_URL needs ${missing.join(' and ')}: the access key of the bucket.`];
};

export const blobSettings = settingGroup({
  order: 10,
  title: 'Object storage',
  settings: {
    MEMOIR_BLOBS_URL: {
      type: z
        .string()
        .regex(BUCKET, { error: 'a bucket, as in s3://my-bucket or s3://my-bucket/memoir' })
        .optional(),
      help: 'The bucket of an S3-compatible service for the originals of uploads, with the beginning of the names in it. Originals that are in the data folder already stay there and are still served.',
      default: 'originals are stored in the data folder',
    },
    MEMOIR_BLOBS_ENDPOINT: {
      type: webAddress.optional(),
      help: 'The address of the S3-compatible service of MEMOIR_BLOBS_URL, as in http://127.0.0.1:9000.',
      default: 'the address of Amazon S3 in the region',
    },
    MEMOIR_BLOBS_REGION: {
      type: z
        .string()
        .regex(/^[a-z0-9-]{2,40}$/, { error: 'a region, as in eu-central-1' })
        .default(REGION),
      help: 'The region of MEMOIR_BLOBS_URL.',
      default: REGION,
    },
    MEMOIR_BLOBS_KEY_ID: {
      type: z.string().optional(),
      help: 'The id of the access key for MEMOIR_BLOBS_URL. The key needs the rights to read, write, list and delete objects.',
      default: 'none; MEMOIR_BLOBS_URL needs it',
    },
    MEMOIR_BLOBS_SECRET: {
      type: z.string().optional(),
      help: 'The secret of the access key for MEMOIR_BLOBS_URL.',
      default: 'none; MEMOIR_BLOBS_URL needs it',
      secret: true,
    },
  },
  view: (values): BlobsConfig => {
    const { bucket, prefix = '' } = BUCKET.exec(values.MEMOIR_BLOBS_URL ?? '')?.groups ?? {};
    const { MEMOIR_BLOBS_KEY_ID: keyId, MEMOIR_BLOBS_SECRET: secret } = values;
    if (bucket === undefined || keyId === undefined || secret === undefined) return { blobs: null };
    const folder = prefix.replace(/^\/+|\/+$/g, '');
    return {
      blobs: {
        ...{ bucket, keyId, secret, region: values.MEMOIR_BLOBS_REGION },
        endpoint: values.MEMOIR_BLOBS_ENDPOINT ?? null,
        prefix: folder === '' ? '' : `${folder}/`,
      },
    };
  },
  problems: withoutKey,
  warnings: (values) =>
    withoutEffect(
      values,
      'MEMOIR_BLOBS_URL',
      ALL.filter((name) => name !== 'MEMOIR_BLOBS_REGION'),
    ),
});
