// The ingest side on PostgreSQL.
import type { Pool } from 'pg';
import { defined } from '../../../lib/defined.ts';
import { directCall } from '../../../lib/threads/direct-call.ts';
import { forgetKept } from '../engine/kept-by-database.ts';
import { kyselyOnConnection } from '../postgres/dialect.ts';
import type { DatabaseLink } from '../postgres/link.ts';
import { postgresUpkeep } from '../postgres/upkeep.ts';
import { forgetUnscrubbed } from '../queries/ingestion/unscrubbed.ts';
import type { PostgresWritingSide } from '../writing-side/postgres-writing-side.ts';
import type { Losses } from './context.ts';
import { createIngestSide, type IngestSide } from './ingest-store.ts';

/** Counts losses: ends of work do not wait for the disk of the database, so a crash may take them back. */
const lossesOf = (link: Pick<DatabaseLink, 'onLoss'>): Losses => {
  let seen = 0;
  let repaired = 0;
  link.onLoss(() => {
    seen += 1;
  });
  return {
    async repair(work) {
      const before = seen;
      if (before === repaired) return;
      await work();
      repaired = before;
    },
  };
};

export const openPostgresIngestSide = (
  pool: Pool,
  { writer, ingest }: PostgresWritingSide,
  { now, boot = '', link }: { now: () => number; boot?: string; link?: Pick<DatabaseLink, 'onLoss'> },
): IngestSide => {
  const db = kyselyOnConnection(pool);
  link?.onLoss(() => forgetKept(db));
  const losses = link && lossesOf(link);
  const upkeep = postgresUpkeep(pool, (mark) =>
    writer.together((tx) => forgetUnscrubbed(tx, mark), 'ingest'),
  );
  const call = directCall<typeof ingest>(ingest);
  return createIngestSide({ db, call, now, boot, ...defined({ losses }) }, upkeep);
};
