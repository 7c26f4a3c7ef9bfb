// How memories stand to those that are there already: read from what they say, by rules, and asked inside transactions.
import type { DrawnMemory, KnownMemory, MemoryReader } from '../../adapters/model/port.ts';
import type {
  PreparedRelation,
  RelatedStatement,
  Relating,
  StoredMemory,
} from '../../adapters/store/memory-port.ts';
import { dateAgainst } from '../../lib/said.ts';

/** As it stands to something that is received at that time. */
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

/** In other words: whoever said so wants these words, and the former ones stay as the version before. */
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
    const related =
      reader.relate?.(
        drawn,
        known.map((one) => knownAt(one, heardAt)),
      ) ?? drawn;
    return statements.map((statement, at) => {
      const one = related[at];
      return one ? [...relationsOf(one), ...reworded(statement, one, known)] : [];
    });
  },
});
