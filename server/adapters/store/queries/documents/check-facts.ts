// Checks the facts that a sender states with the content, before anything is stored.
import { statementKey } from '../../../../core/statements/statement-key.ts';
import { textList } from '../../engine/lists.ts';
import type { FactsRefused, SubmittedFact } from '../../ports/documents.ts';
import type { ScopedRead } from '../../statements/contexts.ts';
import { isForgotten, type MemoryRow } from '../../statements/memory-rows.ts';
import { withMemories } from '../../statements/scoped-views.ts';

/** The document that the facts are stated with. */
export interface StatedDocument {
  /** Null: none has these tags yet. */
  container: number | null;
  tags: readonly string[];
  taskType: string;
}

const COLUMNS = ['id', 'memory', 'root', 'is_latest', 'is_forgotten', 'forget_after'] as const;
type Replaced = Pick<MemoryRow, (typeof COLUMNS)[number]>;

const readReplaced = (
  { db, reach }: ScopedRead,
  container: number,
  ids: readonly string[],
): Promise<Replaced[]> =>
  withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(COLUMNS)
    .where('container', '=', container)
    .where('id', 'in', textList(ids))
    .execute();

const latestOf = ({ db, reach }: ScopedRead, root: number): Promise<Replaced | undefined> =>
  withMemories(db, reach)
    .selectFrom('visible_memories')
    .select(COLUMNS)
    .where('root', '=', root)
    .where('is_latest', '=', 1)
    .executeTakeFirst();

const replacementRefused = async (
  read: ScopedRead,
  { memory }: SubmittedFact,
  known: Replaced,
): Promise<FactsRefused | null> => {
  const { id } = known;
  if (known.is_latest === 1) return isForgotten(known, read.now) ? { outcome: 'forgotten memory', id } : null;
  const latest = await latestOf(read, known.root);
  // The fact was sent before and has replaced it: a client that repeats its request has nothing to correct.
  if (latest !== undefined && statementKey(latest.memory) === statementKey(memory)) return null;
  return { outcome: 'older version', id, latest: latest?.id ?? null };
};

/** Looks at nothing outside the container of the document: there a version could not follow. Null: nothing is wrong. */
export const findFactsRefused = async (
  read: ScopedRead,
  facts: readonly SubmittedFact[] | undefined,
  { container, tags, taskType }: StatedDocument,
): Promise<FactsRefused | null> => {
  if (facts === undefined || facts.length === 0) return null;
  if (taskType !== 'memory') return { outcome: 'searched only' };
  const replacing = facts.flatMap((fact) => (fact.replaces === null ? [] : [{ fact, id: fact.replaces }]));
  if (replacing.length === 0) return null;
  const ids = replacing.map(({ id }) => id);
  const rows = container === null ? [] : await readReplaced(read, container, ids);
  for (const { fact, id } of replacing) {
    const known = rows.find((row) => row.id === id);
    if (known === undefined) return { outcome: 'unknown memory', id, tags };
    const refused = await replacementRefused(read, fact, known);
    if (refused !== null) return refused;
  }
  return null;
};
