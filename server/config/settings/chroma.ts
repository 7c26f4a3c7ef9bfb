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
}

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
  },
  view: ({ CHROMA_URL: url, CHROMA_SHARDS: chromaShards, ...values }): ChromaConfig => {
    const { CHROMA_TOKEN: token, CHROMA_TENANT: tenant, CHROMA_DATABASE: database } = values;
    const chroma = url === undefined ? null : { url, ...defined({ token, tenant, database }) };
    return { chroma, chromaShards };
  },
  warnings: (values) =>
    withoutEffect(values, 'CHROMA_URL', ['CHROMA_TOKEN', 'CHROMA_TENANT', 'CHROMA_DATABASE']),
});

export const chromaPlace = ({ chroma, chromaShards }: ChromaConfig): ChromaPlace => ({
  url: chroma?.url ?? null,
  token: chroma?.token ?? null,
  tenant: chroma?.tenant ?? null,
  database: chroma?.database ?? null,
  shards: chromaShards,
});
