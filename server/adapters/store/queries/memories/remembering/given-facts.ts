// The facts that senders stated with their content, from the passages that they belong to until they are memories.
import { sql } from '#kysely';
import { lockWithMemories } from '../../../engine/locks.ts';
import { run } from '../../../engine/run.ts';
import type { GivenFacts, HeldJob, StatedPassage } from '../../../ports/memories/remembering.ts';
import { parsedFacts, STATED } from '../../../statements/documents/submitted-facts.ts';
import type { Db } from '../../../tables/tables.ts';
import { eraseUnsupported } from '../erase.ts';
import { isLeaseStanding } from './memory-lease.ts';

/** In a longer document, facts belong to one of its first passages. */
const MOST_PASSAGES = 5000;
/** Erasing a memory takes up to half a millisecond. */
const DROPPED_AT_ONCE = 32;

const statedPassages = (db: Db, doc: number): Promise<StatedPassage[]> =>
  db
    .selectFrom('chunks')
    .select(['n', 'id', 'position', 'date', 'terms'])
    .where('doc', '=', doc)
    .where('read_for_memories', '=', sql.lit(STATED))
    .orderBy('position')
    .orderBy('part')
    .limit(MOST_PASSAGES)
    .execute();

/** Facts of the whole content take the place of those that came before. Null: there are none. */
export const givenFacts = async (db: Db, doc: number): Promise<GivenFacts | null> => {
  const rows = await db
    .selectFrom('submissions')
    .select(['n', 'facts', 'decision'])
    .where('doc', '=', doc)
    .where('facts', 'is not', null)
    .where('placed', '=', sql.lit(1))
    .orderBy('n')
    .execute();
  if (rows.length === 0) return null;
  const last = rows.findLastIndex(({ decision }) => decision !== 'appended');
  return {
    submissions: rows.map(({ n }) => n),
    facts: rows.slice(Math.max(0, last)).flatMap(({ facts }) => parsedFacts(facts ?? '[]')),
    whole: last >= 0,
    passages: await statedPassages(db, doc),
  };
};

/** The end of given facts: they are memories now. */
export interface SettledFacts {
  submissions: readonly number[];
  /** The ids of the only memories that their passages state; null: the passages keep what they state otherwise. */
  kept: readonly string[] | null;
}

const dropOthers = async (tx: Db, doc: number, kept: readonly string[]): Promise<boolean> => {
  const passages = `select id from chunks where doc = $1 and read_for_memories = ${STATED}`;
  const { rows } = await run<{ memory: number }>(
    tx,
    `select distinct memory_sources.memory from memory_sources inner join memories on memories.n = memory_sources.memory
       where doc = $1 and chunk in (${passages}) and memories.id not in (select value from text_list($2))
       limit ${DROPPED_AT_ONCE}`,
    [doc, JSON.stringify(kept)],
  );
  if (rows.length === 0) return false;
  const others = rows.map(({ memory }) => memory);
  await run(
    tx,
    `delete from memory_sources where doc = $1 and chunk in (${passages})
       and memory in (select value from number_list($2))`,
    [doc, JSON.stringify(others)],
  );
  await eraseUnsupported(tx, others);
  return true;
};

/** True: memories were erased, and there may be more; to be called again. */
export const settleFacts = async (
  tx: Db,
  job: HeldJob,
  { submissions, kept }: SettledFacts,
): Promise<boolean> => {
  await lockWithMemories(tx, job.document);
  if (!(await isLeaseStanding(tx, job))) return false;
  if (kept !== null && (await dropOthers(tx, job.document, kept))) return true;
  await run(tx, 'update submissions set facts = null where n in (select value from number_list($1))', [
    JSON.stringify(submissions),
  ]);
  return false;
};
