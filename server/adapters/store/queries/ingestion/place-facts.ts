// Places the facts of a submission on its passages, in the transaction that stores them: they are not read for memories.

import { run } from '../../engine/run.ts';
import type { StoredChunk } from '../../ports/ingestion/claims.ts';
import type { CommittedDocument } from '../../ports/ingestion/commits.ts';
import { STATED } from '../../statements/documents/submitted-facts.ts';
import type { Db } from '../../tables/tables.ts';

/** Null: the facts of the claim have no passages, because the content could not be read. Creating a document needs no decision. */
const decisionOn = ({ claim, decisions, failure }: CommittedDocument): string | null => {
  const decided = decisions.find(({ submission }) => submission === claim.given)?.decision;
  if (decided === undefined) return failure === null ? 'created' : null;
  return decided === 'unreadable' ? null : decided;
};

/** Marks the added passages where they were sent alone; otherwise the whole content was sent. */
const markPassages = async (
  tx: Db,
  doc: number,
  decision: string,
  added: ReadonlySet<string>,
): Promise<void> => {
  if (decision === 'appended')
    await run(
      tx,
      `update chunks set read_for_memories = ${STATED} where doc = $1 and id in (select value from text_list($2))`,
      [doc, JSON.stringify([...added])],
    );
  else await run(tx, `update chunks set read_for_memories = ${STATED} where doc = $1`, [doc]);
};

/** Facts that were never placed belong to content that is gone. Unreadable content may be read later. */
const dropUnplaced = async (tx: Db, { claim }: CommittedDocument): Promise<void> => {
  await run(
    tx,
    `update submissions set facts = null
       where doc = $1 and facts is not null and placed = 0 and decision is not null and n <> $2`,
    [claim.n, claim.given ?? 0],
  );
};

/** Called after the chunks are written and the submissions are decided. */
export const placeFacts = async (
  tx: Db,
  document: CommittedDocument,
  added: ReadonlySet<string>,
): Promise<void> => {
  const { claim } = document;
  if (claim.given !== null) {
    const decision = decisionOn(document);
    if (decision !== null) {
      await markPassages(tx, claim.n, decision, added);
      await run(tx, 'update submissions set placed = 1 where n = $1', [claim.given]);
    }
  }
  await dropUnplaced(tx, document);
};

/** Facts that became no memories yet, though their passages are stored. */
export const hasPlacedFacts = async (tx: Db, doc: number): Promise<boolean> => {
  const { rows } = await run(
    tx,
    'select 1 as found from submissions where doc = $1 and facts is not null and placed = 1 limit 1',
    [doc],
  );
  return rows.length > 0;
};

/**
 * Text with facts that was sent alone may lengthen the last passage, which then has another id: the memories of the shorter
 * one are stated by the longer one too.
 */
export const carrySources = async (
  tx: Db,
  { claim, decisions }: CommittedDocument,
  removed: readonly StoredChunk[],
): Promise<void> => {
  const decided = decisions.find(({ submission }) => submission === claim.given);
  if (claim.given === null || decided?.decision !== 'appended') return;
  for (const { id, position, part } of removed)
    await run(
      tx,
      `update memory_sources set chunk = longer.id
         from (select id from chunks where doc = $1 and position = $3 and part = $4) as longer
         where doc = $1 and chunk = $2 and not exists (select 1 from memory_sources as own
           where own.memory = memory_sources.memory and own.doc = $1 and own.chunk = longer.id)`,
      [claim.n, id, position, part],
    );
};
