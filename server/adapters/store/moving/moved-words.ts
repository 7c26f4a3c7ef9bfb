// The words of copied chunks and memories: they are drawn anew from the rows, because an index of words alone cannot be read.
import { isRoleChat } from '../../../core/chunks/chunk-flags.ts';
import { containerOfNumber } from '../../../core/chunks/chunk-number.ts';
import { passageTerms } from '../../../lib/text/terms/passage-terms.ts';
import { indexedText, statementTerms } from '../../../lib/text/terms/statement-terms.ts';
import { engineOf, type UnitWords } from '../engine/engine.ts';
import { run } from '../engine/run.ts';
import type { UnitKind } from '../ports/filters.ts';
import type { ChunksTable, Db, MemoriesTable } from '../tables/tables.ts';
import type { MovedRow } from './moved-tables.ts';

type ChunkText = Pick<ChunksTable, 'content' | 'title' | 'speaker' | 'date' | 'flags'>;

const chunkText = (row: MovedRow): Pick<UnitWords, 'body' | 'extra'> => {
  const { content, title, speaker, date, flags } = row as unknown as ChunkText;
  const { body, ...further } = passageTerms({
    text: content,
    title: title ?? undefined,
    speaker: speaker ?? undefined,
    date: date ?? undefined,
    isChat: isRoleChat(flags),
  });
  return { body: body.join(' '), extra: Object.values(further).flat().join(' ') };
};

const memoryText = (row: MovedRow): Pick<UnitWords, 'body' | 'extra'> => {
  const { memory } = row as unknown as Pick<MemoriesTable, 'memory'>;
  return { body: indexedText(statementTerms(memory)), extra: '' };
};

const TEXTS: Readonly<Record<UnitKind, (row: MovedRow) => Pick<UnitWords, 'body' | 'extra'>>> = {
  chunks: chunkText,
  memories: memoryText,
};

const tagsOfContainers = async (db: Db, containers: readonly number[]): Promise<Map<number, number[]>> => {
  const { rows } = await run<{ container: number; tag: number }>(
    db,
    'select container, tag from container_tags where container in (select value from number_list($1))',
    [JSON.stringify(containers)],
  );
  const tags = new Map<number, number[]>();
  for (const { container, tag } of rows) tags.set(container, [...(tags.get(container) ?? []), tag]);
  return tags;
};

/** `from` is the database of the rows: their tags are read there. */
export const moveWords = async (
  tx: Db,
  from: Db,
  kind: UnitKind,
  { added, changed, removed }: Readonly<Record<'added' | 'changed' | 'removed', readonly MovedRow[]>>,
): Promise<void> => {
  const numbersOf = (rows: readonly MovedRow[]): number[] => rows.map(({ n }) => Number(n));
  const { words } = engineOf(tx);
  const former = [...numbersOf(changed), ...numbersOf(removed)];
  if (former.length > 0) await words.erase(tx, kind, former);
  const present = [...added, ...changed];
  const containers = [...new Set(numbersOf(present).map(containerOfNumber))];
  const tags = await tagsOfContainers(from, containers);
  const units = present.map((row) => {
    const n = Number(row.n);
    return { n, tagNumbers: tags.get(containerOfNumber(n)) ?? [], ...TEXTS[kind](row) };
  });
  if (units.length > 0) await words.write(tx, kind, units);
};
