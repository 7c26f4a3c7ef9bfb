// The ingest side on PostgreSQL.
import type { Pool } from 'pg';
import { directCall } from '../../../lib/threads/direct-call.ts';
import { forgetKept } from '../engine/kept-by-database.ts';
import { kyselyOnConnection } from '../postgres/dialect.ts';
import type { DatabaseLink } from '../postgres/link.ts';
import { postgresUpkeep } from '../postgres/upkeep.ts';
import { forgetUnscrubbed } from '../queries/ingestion/unscrubbed.ts';
import type { PostgresWritingSide } from '../writing-side/postgres-writing-side.ts';
import { createIngestSide, type IngestSide } from './ingest-store.ts';

export const openPostgresIngestSide = (
  pool: Pool,
  { writer, ingest }: PostgresWritingSide,
  { now, boot = '', link }: { now: () => number; boot?: string; link?: Pick<DatabaseLink, 'onLoss'> },
): IngestSide => {
  const db = kyselyOnConnection(pool);
  link?.onLoss(() => forgetKept(db));
  const upkeep = postgresUpkeep(pool, (mark) =>
    writer.together((tx) => forgetUnscrubbed(tx, mark), 'ingest'),
  );
  return createIngestSide({ db, call: directCall<typeof ingest>(ingest), now, boot }, upkeep);
};
