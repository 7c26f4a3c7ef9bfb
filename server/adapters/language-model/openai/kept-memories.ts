// The memories that one reading has drawn so far, and the ones that its next answer may refer to.
import type { DrawnMemory, ReadRequest, ReportTokens, WrittenOutline } from '../ports/memory-reader.ts';
import type { DrawnAnswer, ReferableMemory } from './drawn-memory.ts';

/** The state of one reading. */
export interface ReadingProgress {
  readonly request: ReadRequest;
  readonly signal: AbortSignal | undefined;
  readonly reportTokens: ReportTokens | undefined;
  readonly drawn: DrawnMemory[];
  /** One at most. */
  readonly written: WrittenOutline[];
}

/** The references of the memories that a drawn one has replaced. */
const replacedReferences = (drawn: readonly DrawnMemory[]): Set<string> =>
  new Set(
    drawn.flatMap(({ relations }) =>
      relations.flatMap(({ kind, to }) => (kind === 'updates' ? [JSON.stringify(to)] : [])),
    ),
  );

/** Known memories first, then the last `most` of this reading; without those that were replaced. */
export const referableMemories = ({ request, drawn }: ReadingProgress, most: number): ReferableMemory[] => {
  const replaced = replacedReferences(drawn);
  const known = request.known.map(
    (memory): ReferableMemory => ({ ...memory, saidAt: memory.saidAt ?? null, ref: { known: memory.id } }),
  );
  const before = drawn
    .map((memory, index): ReferableMemory => ({ ...memory, ref: { drawn: index } }))
    .slice(-most);
  return [...known, ...before].filter(({ ref }) => !replaced.has(JSON.stringify(ref)));
};

/** The index of the same statement, drawn earlier and still valid; -1: there is none. */
const earlierIndex = ({ memory, same }: DrawnAnswer, drawn: readonly DrawnMemory[]): number => {
  const replaced = replacedReferences(drawn);
  const isValid = (index: number): boolean => !replaced.has(JSON.stringify({ drawn: index }));
  if (same && 'drawn' in same.ref && isValid(same.ref.drawn)) return same.ref.drawn;
  return drawn.findLastIndex((one, index) => one.memory === memory.memory && isValid(index));
};

/** A repeated statement adds its positions to the earlier one and becomes no memory of its own. */
export const keepMemory = (answer: DrawnAnswer, { drawn }: ReadingProgress): ReferableMemory => {
  const { memory } = answer;
  const index = earlierIndex(answer, drawn);
  const before = drawn[index];
  if (!before) return { ...memory, ref: { drawn: drawn.push(memory) - 1 } };
  const positions = [...new Set([...before.positions, ...memory.positions])].sort((a, b) => a - b);
  drawn[index] = { ...before, positions };
  return { ...before, ref: { drawn: index } };
};
