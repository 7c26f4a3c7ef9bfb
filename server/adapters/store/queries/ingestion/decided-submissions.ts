// A decided submission keeps its hash and the decision. Its content is erased: what counts of it is in the document.

import { run } from '../../engine/run.ts';
import type { CommittedDocument } from '../../ports/ingestion/commits.ts';
import type { Db } from '../../tables/tables.ts';
import { noteUnscrubbed } from './unscrubbed.ts';

const LEFT_OUT_SHOWN = 3;

/** After a replacement the document does not lack what was left out before it. */
const forgetReplaced = async (tx: Db, { claim }: CommittedDocument): Promise<void> => {
  const replacement = claim.submissions.findLast(({ mode }) => mode === 'replace');
  if (replacement === undefined) return;
  await run(tx, 'update submissions set left_out = null where doc = $1 and n < $2 and left_out is not null', [
    claim.n,
    replacement.n,
  ]);
};

/** One sentence for each part that was left out for good; null: nothing was. */
const leftOutNote = async (tx: Db, doc: number): Promise<string | null> => {
  const { rows } = await run<{ left_out: string; others: number }>(
    tx,
    `select left_out, count(*) over () - ${LEFT_OUT_SHOWN} as others from submissions
       where doc = $1 and left_out is not null order by n desc limit ${LEFT_OUT_SHOWN}`,
    [doc],
  );
  const others = rows[0]?.others ?? 0;
  const earlier =
    others > 0 ? [`${others} earlier ${others === 1 ? 'part was' : 'parts were'} left out too.`] : [];
  return [...rows.map((row) => row.left_out).reverse(), ...earlier].join(' ') || null;
};

/** Returns the note about what was left out of the document. */
export const decideSubmissions = async (tx: Db, document: CommittedDocument): Promise<string | null> => {
  const { claim, decisions } = document;
  for (const { submission, decision, leftOut = null } of decisions)
    await run(tx, 'update submissions set decision = $1, content = null, left_out = $2 where n = $3', [
      decision,
      leftOut,
      submission,
    ]);
  if (claim.revision === 1) return null;
  await forgetReplaced(tx, document);
  return leftOutNote(tx, claim.n);
};

// --- once ---------------------------------------------------------------------------------------------

/** The key of the mark with the last submission that was looked at: earlier releases kept decided content. */
const FORMERLY_KEPT = 'decided_submissions';

const LOOKED_AT_ONCE = 200;
/** Overwriting this much takes a few milliseconds. */
const BYTES_AT_ONCE = 4 * 1024 * 1024;

const nextFormerlyKept = async (tx: Db, after: number): Promise<{ last: number; bytes: number } | null> => {
  const { rows } = await run<{ n: number; bytes: number | null }>(
    tx,
    `select n, case when decision <> 'unreadable' then octet_length(content) else 0 end as bytes from submissions
       where n > $1 order by n limit ${LOOKED_AT_ONCE}`,
    [after],
  );
  let last = 0;
  let total = 0;
  for (const { n, bytes } of rows) {
    if (last > 0 && total + (bytes ?? 0) > BYTES_AT_ONCE) break;
    last = n;
    total += bytes ?? 0;
  }
  return rows.length === 0 ? null : { last, bytes: total };
};

/**
 * Erases a slice of the content that earlier releases kept; false: nothing is left. What they could not read is kept:
 * nothing else tells what it was.
 */
export const eraseFormerlyKept = async (tx: Db): Promise<boolean> => {
  const mark = await tx
    .selectFrom('meta')
    .select('value')
    .where('key', '=', FORMERLY_KEPT)
    .executeTakeFirst();
  if (mark === undefined) return false;
  const after = Number(mark.value);
  const slice = await nextFormerlyKept(tx, after);
  if (slice === null) {
    await tx.deleteFrom('meta').where('key', '=', FORMERLY_KEPT).execute();
    return false;
  }
  await run(
    tx,
    "update submissions set content = null where n > $1 and n <= $2 and decision <> 'unreadable' and content is not null",
    [after, slice.last],
  );
  if (slice.bytes > 0) await noteUnscrubbed(tx);
  await tx
    .updateTable('meta')
    .set({ value: String(slice.last) })
    .where('key', '=', FORMERLY_KEPT)
    .execute();
  return true;
};
