// Relates new memories to stored ones by the rules; called inside transactions.
import type {
  DrawnMemory,
  KnownMemory,
  MemoryReader,
} from '../../../adapters/language-model/ports/memory-reader.ts';
import type {
  PreparedRelation,
  RelatedStatement,
  Relating,
  StoredMemory,
} from '../../../adapters/store/ports/memories/remembering.ts';
import { dateAgainst } from '../../../core/statements/spoken-time.ts';
import { finish } from '../../../lib/async/steps.ts';

/** The form in which a memory is compared with a statement received at that time. */
export const knownAt = (
  { n: _n, heardAt: _heardAt, ...memory }: StoredMemory,
  heardAt: number,
): KnownMemory => ({
  ...memory,
  saidAt: dateAgainst({ saidAt: memory.saidAt, heardAt: _heardAt }, heardAt),
});

export const relationsOf = ({ relations, outdatedBy }: DrawnMemory): PreparedRelation[] => [
  ...(outdatedBy === null ? [] : [{ kind: 'updatedBy' as const, to: { known: outdatedBy } }]),
  ...relations.map(({ kind, to }) => ({ kind, to })),
];

const drawnOf = ({ memory, isStatic, slot, about, saidAt }: RelatedStatement): DrawnMemory => ({
  memory,
  isStatic,
  isInference: false,
  slot,
  about,
  relations: [],
  outdatedBy: null,
  saidAt,
  eventDates: [],
  forgetAfter: null,
  positions: [],
});

/** The same fact in other words: the new words are shown, and the former ones stay as the previous version. */
const reworded = (
  statement: RelatedStatement,
  { memory }: DrawnMemory,
  known: readonly StoredMemory[],
): PreparedRelation[] => {
  const same = memory === statement.memory ? undefined : known.find((one) => one.memory === memory);
  return same ? [{ kind: 'updates', to: { known: same.id } }] : [];
};

export const createRelating = (reader: Pick<MemoryReader, 'relate' | 'lookups'>): Relating => ({
  wanted: (statements) => reader.lookups?.(statements) ?? { slots: [], abouts: [] },
  relate(statements, known) {
    const heardAt = Math.max(...statements.map((statement) => statement.heardAt));
    const drawn = statements.map(drawnOf);
    const present = known.map((one) => knownAt(one, heardAt));
    const related = reader.relate ? finish(reader.relate(drawn, present)) : drawn;
    return statements.map((statement, at) => {
      const one = related[at];
      return one ? [...relationsOf(one), ...reworded(statement, one, known)] : [];
    });
  },
});
