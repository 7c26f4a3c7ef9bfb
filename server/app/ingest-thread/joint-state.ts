// The state of background work where several processes share it: of the index, one process alone knows.

import { unavailable } from '../../core/errors.ts';
import type { Company, FellowProcess } from '../../core/processes/company.ts';
import { doesWork, type ProcessRole } from '../../core/processes/role.ts';
import type { IngestState } from '../ingest-thread/commands.ts';

/** The settings by which the index is filled: two that differ would each drop what the other one filled. */
export interface IndexForm {
  /** CHROMA_SHARDS. */
  readonly shards: number;
  /** CHROMA_INDEX_FROM. */
  readonly indexFrom: number;
}

/** The state that a process tells the others. */
export interface ToldState extends IngestState, IndexForm {
  /** Of its MEMOIR_SECRET_KEY. */
  readonly keyId: string | null;
}

/** All processes have the same version, so they tell the same. Null: it has not told yet. */
const toldState = ({ state }: FellowProcess): ToldState | null => state as ToldState | null;

const keepsIndex = (state: IngestState | null): boolean =>
  state !== null && state.indexer.status !== 'elsewhere';

const SETTINGS: readonly (readonly [keyof IndexForm, string])[] = [
  ['shards', 'CHROMA_SHARDS'],
  ['indexFrom', 'CHROMA_INDEX_FROM'],
];

export const requireSameIndex = (company: Company | null, own: IndexForm): void => {
  for (const fellow of company?.fellows() ?? [])
    for (const [field, setting] of SETTINGS) {
      const other = toldState(fellow)?.[field] ?? own[field];
      if (other === own[field]) continue;
      throw unavailable(
        `${setting} is ${own[field]} here and ${other} in a process on the same database (${fellow.place}). To change the number, stop all processes, then start them with the new one; a process that was killed counts for 15 seconds more.`,
      );
    }
};

/** With two keys, each could open what the other sealed only as long as both were set, and links of one would end at the other. */
export const requireSameKey = (company: Company | null, own: string | null): void => {
  for (const fellow of company?.fellows() ?? []) {
    const other = toldState(fellow)?.keyId ?? own;
    if (other === own) continue;
    throw unavailable(
      `MEMOIR_SECRET_KEY is another one here than in a process on the same database (${fellow.place}). Give all processes the same. To change the key, stop all processes, then start them with the new one and the former one in MEMOIR_SECRET_KEY_PREVIOUS; a process that was killed counts for 15 seconds more.`,
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

const otherSetting = (keeper: IndexForm, own: IndexForm): string | null => {
  const [, setting] = SETTINGS.find(([field]) => keeper[field] !== own[field]) ?? [];
  return setting === undefined
    ? null
    : `the worker that keeps the index has another ${setting}; start all with the same`;
};

export interface OwnPart extends IndexForm {
  readonly role: ProcessRole;
}

/** The state of this process together with that of the process that keeps the index. */
export const jointState = (own: IngestState, company: Company | null, part: OwnPart): IngestState => {
  if (company === null) return own;
  const joint = { ...own, slowedKeys: slowedKeys(own, company) };
  if (doesWork(part.role) && keepsIndex(own)) return joint;
  const without = (detail: string): IngestState => ({
    ...joint,
    whole: [],
    indexer: { status: 'waiting', detail },
  });
  const keeper = keeperState(company);
  if (keeper === null) return without(NOBODY);
  const other = otherSetting(keeper, part);
  if (other !== null) return without(other);
  const { indexer, chroma, filled, filling, whole } = keeper;
  return { ...joint, indexer, chroma, filled, filling, whole };
};
