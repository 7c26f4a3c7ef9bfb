// The state of background work where several processes share it: of the index, one process alone knows.

import { unavailable } from '../../core/errors.ts';
import type { Company, FellowProcess } from '../../core/processes/company.ts';
import { doesWork, type ProcessRole } from '../../core/processes/role.ts';
import type { IngestState } from '../ingest-thread/commands.ts';

/** The state that a process tells the others. */
export interface ToldState extends IngestState {
  /** The number of collections over which it divides each embedding space. */
  readonly shards: number;
}

/** All processes have the same version, so they tell the same. Null: it has not told yet. */
const toldState = ({ state }: FellowProcess): ToldState | null => state as ToldState | null;

const keepsIndex = (state: IngestState | null): boolean =>
  state !== null && state.indexer.status !== 'elsewhere';

/** Each of two numbers of shards would drop what the other one filled. */
export const requireSameShards = (company: Company | null, shards: number): void => {
  for (const fellow of company?.fellows() ?? []) {
    const other = toldState(fellow)?.shards ?? shards;
    if (other === shards) continue;
    throw unavailable(
      `CHROMA_SHARDS is ${shards} here and ${other} in a process on the same database (${fellow.place}). To change the number, stop all processes, then start them with the new one; a process that was killed counts for 15 seconds more.`,
    );
  }
};

/** The state of the process that keeps the index; null: none does. */
const keeperState = (company: Company): ToldState | null =>
  company
    .fellows()
    .filter(({ role }) => doesWork(role))
    .map(toldState)
    .find(keepsIndex) ?? null;

const slowedKeys = (own: IngestState, company: Company): string[] => [
  ...new Set([own, ...company.fellows().map(toldState)].flatMap((each) => each?.slowedKeys ?? [])),
];

const NOBODY = 'no worker keeps the index; start one with --role worker';
const OTHER_SHARDS = 'the worker that keeps the index has another CHROMA_SHARDS; start all with the same';

export interface OwnPart {
  readonly role: ProcessRole;
  readonly shards: number;
}

/** The state of this process together with that of the process that keeps the index. */
export const jointState = (
  own: IngestState,
  company: Company | null,
  { role, shards }: OwnPart,
): IngestState => {
  if (company === null) return own;
  const joint = { ...own, slowedKeys: slowedKeys(own, company) };
  if (doesWork(role) && keepsIndex(own)) return joint;
  const keeper = keeperState(company);
  if (keeper?.shards !== shards) {
    const detail = keeper === null ? NOBODY : OTHER_SHARDS;
    return { ...joint, whole: [], indexer: { status: 'waiting', detail } };
  }
  const { indexer, chroma, filled, filling, whole } = keeper;
  return { ...joint, indexer, chroma, filled, filling, whole };
};
