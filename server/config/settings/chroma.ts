// The settings of the Chroma server that holds the vectors.
import { z } from 'zod';
import type { ChromaPlace } from '../../adapters/vectors/chroma/open-chroma.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { webAddress, wholeNumberSetting } from '../value-types.ts';

export interface ChromaConfig {
  /** Null: Memoir starts its own Chroma over the data folder. */
  chroma: { url: string; token?: string; tenant?: string; database?: string } | null;
  /** The number of collections of each embedding space. */
  chromaShards: number;
  /** The number of passages and memories from which Chroma holds a container; 0: it holds every one. */
  chromaIndexFrom: number;
}

/** A larger container tag could not be searched alone without an index. */
const LARGEST_LEFT_OUT = 20_000;

const MOST_SHARDS = 64;
const SHARDS_ERROR = `a power of two from 1 to ${MOST_SHARDS}, as in 4`;

const shardCount = wholeNumberSetting(1, MOST_SHARDS).refine((count) => Number.isInteger(Math.log2(count)), {
  error: SHARDS_ERROR,
});

export const chromaSettings = settingGroup({
  order: 3,
  title: 'Chroma',
  settings: {
    CHROMA_URL: {
      type: webAddress.optional(),
      help: 'The address of a Chroma server or of Chroma Cloud.',
      default: 'Memoir starts its own Chroma over the data folder',
    },
    CHROMA_TOKEN: {
      type: z.string().optional(),
      help: 'The token for the Chroma at CHROMA_URL.',
      default: 'no token is sent',
      secret: true,
    },
    CHROMA_TENANT: {
      type: z.string().optional(),
      help: 'The tenant at CHROMA_URL.',
      default: 'the tenant of the token, or default_tenant',
    },
    CHROMA_DATABASE: {
      type: z.string().optional(),
      help: 'The database at CHROMA_URL.',
      default: 'the database of the token, or default_database',
    },
    CHROMA_SHARDS: {
      type: shardCount.default(1),
      help: 'The number of collections over which the vectors are divided by container, a power of two up to 64: about one for each 2 million vectors. After a change the collections are filled again, and until they are, searches compare exactly. All processes on one database need the same number.',
      default: '1',
    },
    CHROMA_INDEX_FROM: {
      type: wholeNumberSetting(0, LARGEST_LEFT_OUT).default(0),
      help: `The number of passages and memories from which a container tag is in Chroma, up to ${LARGEST_LEFT_OUT}, as in 5000; 0: every one. A search in one small container tag never asks Chroma, so a store of many small ones saves its memory. A search of very many small ones at once finds by words alone in them. After a change Chroma is filled again. All processes on one database need the same number.`,
      default: '0',
    },
  },
  view: ({ CHROMA_URL: url, CHROMA_SHARDS: chromaShards, ...values }): ChromaConfig => {
    const { CHROMA_INDEX_FROM: chromaIndexFrom } = values;
    const { CHROMA_TOKEN: token, CHROMA_TENANT: tenant, CHROMA_DATABASE: database } = values;
    const chroma = url === undefined ? null : { url, ...defined({ token, tenant, database }) };
    return { chroma, chromaShards, chromaIndexFrom };
  },
  warnings: (values) =>
    withoutEffect(values, 'CHROMA_URL', ['CHROMA_TOKEN', 'CHROMA_TENANT', 'CHROMA_DATABASE']),
});

export const chromaPlace = ({ chroma, chromaShards }: ChromaConfig): ChromaPlace => ({
  url: chroma?.url ?? null,
  external: chroma !== null,
  token: chroma?.token ?? null,
  tenant: chroma?.tenant ?? null,
  database: chroma?.database ?? null,
  shards: chromaShards,
});
