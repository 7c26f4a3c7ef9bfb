// The ingest side on PostgreSQL.
import type { Pool } from 'pg';
import { directCall } from '../../../lib/threads/direct-call.ts';
import { kyselyOnConnection } from '../postgres/dialect.ts';
import { postgresUpkeep } from '../postgres/upkeep.ts';
import { forgetUnscrubbed } from '../queries/ingestion/unscrubbed.ts';
import type { PostgresWritingSide } from '../writing-side/postgres-writing-side.ts';
import { createIngestSide, type IngestSide } from './ingest-store.ts';

export const openPostgresIngestSide = (
  pool: Pool,
  { writer, ingest }: PostgresWritingSide,
  { now, boot = '' }: { now: () => number; boot?: string },
): IngestSide => {
  const upkeep = postgresUpkeep(pool, (mark) =>
    writer.together((tx) => forgetUnscrubbed(tx, mark), 'ingest'),
  );
  return createIngestSide(
    { db: kyselyOnConnection(pool), call: directCall<typeof ingest>(ingest), now, boot },
    upkeep,
  );
};
