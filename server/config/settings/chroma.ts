// The settings of the Chroma server that holds the vectors.
import { z } from 'zod';
import type { ChromaPlace } from '../../adapters/vectors/chroma/open-chroma.ts';
import { defined } from '../../lib/defined.ts';
import { settingGroup, withoutEffect } from '../declare.ts';
import { webAddress } from '../value-types.ts';

export interface ChromaConfig {
  /** Null: Memoir starts its own Chroma over the data folder. */
  chroma: { url: string; token?: string; tenant?: string; database?: string } | null;
}

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
  },
  view: ({ CHROMA_URL: url, ...values }): ChromaConfig => {
    const { CHROMA_TOKEN: token, CHROMA_TENANT: tenant, CHROMA_DATABASE: database } = values;
    return { chroma: url === undefined ? null : { url, ...defined({ token, tenant, database }) } };
  },
  warnings: (values) =>
    withoutEffect(values, 'CHROMA_URL', ['CHROMA_TOKEN', 'CHROMA_TENANT', 'CHROMA_DATABASE']),
});

export const chromaPlace = ({ chroma }: ChromaConfig): ChromaPlace => ({
  url: chroma?.url ?? null,
  token: chroma?.token ?? null,
  tenant: chroma?.tenant ?? null,
  database: chroma?.database ?? null,
});
