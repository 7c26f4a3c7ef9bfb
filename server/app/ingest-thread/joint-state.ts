// The state of background work where several processes share it: of the index, one process alone knows.

import type { Company } from '../../core/processes/company.ts';
import { doesWork, type ProcessRole } from '../../core/processes/role.ts';
import type { IngestState } from '../ingest-thread/commands.ts';

/** All processes have the same version, so they tell the same. */
const told = (state: unknown): IngestState | null => state as IngestState | null;

const keepsIndex = (state: IngestState | null): state is IngestState =>
  state !== null && state.indexer.status !== 'elsewhere';

/** The state of the process that keeps the index; null: none does. */
const keeperState = (company: Company): IngestState | null =>
  company
    .fellows()
    .filter(({ role }) => doesWork(role))
    .map(({ state }) => told(state))
    .find(keepsIndex) ?? null;

const slowedKeys = (own: IngestState, company: Company): string[] => [
  ...new Set(
    [own, ...company.fellows().map(({ state }) => told(state))].flatMap((each) => each?.slowedKeys ?? []),
  ),
];

const NOBODY = 'no worker keeps the index; start one with --role worker';

/** Of this process, and of the one that keeps the index. */
export const jointState = (own: IngestState, company: Company | null, role: ProcessRole): IngestState => {
  if (company === null) return own;
  const joint = { ...own, slowedKeys: slowedKeys(own, company) };
  if (doesWork(role) && keepsIndex(own)) return joint;
  const keeper = keeperState(company);
  if (keeper === null) return { ...joint, whole: [], indexer: { status: 'waiting', detail: NOBODY } };
  const { indexer, chroma, filled, filling, whole } = keeper;
  return { ...joint, indexer, chroma, filled, filling, whole };
};
