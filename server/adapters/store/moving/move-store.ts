// A move of a whole store to another database: copied while it is in use, then compared at rest, then switched at once.
import { conflict } from '../../../core/errors.ts';
import { endMove, noteMove, readMove } from '../queries/organisation/move.ts';
import { readOrganisation } from '../queries/organisation/organisation.ts';
import { copyTable, type Sides, type TableCopy } from './copy-table.ts';
import { copyVectors } from './copy-vectors.ts';
import { FOLLOWING_TABLES, MOVED_TABLES, VECTORS } from './moved-tables.ts';
import type { MovingSide } from './moving-side.ts';

/** Each copy leaves less to do; a store at rest is equal after two or three. */
const MOST_COPIES = 10;

const emptySource = (place: string): Error =>
  conflict(
    `There is nothing to move: ${place} holds no Memoir. Check MEMOIR_DATA_DIR and MEMOIR_DATABASE_URL.`,
  );

/** Refuses a target that holds anything else than an earlier copy of this store. */
export const claimTarget = async (
  { source, target }: Pick<Sides, 'source' | 'target'>,
  now: number,
): Promise<void> => {
  const [own, held, move] = [
    await readOrganisation(source.db),
    await readOrganisation(target.db),
    await readMove(target.db),
  ];
  if (own === null) throw emptySource(source.place);
  if (held !== null && held.id !== own.id)
    throw conflict(
      `Another Memoir is in ${target.place}. Nothing was changed. Name a database that is empty, or one that an earlier move of this store filled.`,
    );
  if (held !== null && move === null)
    throw conflict(
      `This store is served from ${target.place} already. Nothing was changed. Start Memoir with the settings of that database, or move from there.`,
    );
  await target.write((tx) => noteMove(tx, { state: 'arriving', other: source.place, at: now }));
};

/** Copies what differs, in all tables or in some. */
export const copyStore = async (
  sides: Sides,
  isWanted: (table: string) => boolean = () => true,
): Promise<readonly TableCopy[]> => {
  const copies: TableCopy[] = [];
  for (const table of MOVED_TABLES.filter(({ name }) => isWanted(name))) {
    // Tables that triggers write to come last.
    if (
      FOLLOWING_TABLES.has(table.name) &&
      isWanted(VECTORS) &&
      !copies.some((copy) => copy.table === VECTORS)
    )
      copies.push(await copyVectors(sides));
    copies.push(await copyTable(sides, table));
  }
  return copies;
};

export const differencesIn = (copies: readonly TableCopy[]): number =>
  copies.reduce((sum, { differences }) => sum + differences, 0);

/** Copies until nothing differs, and answers with what was compared last: every table with its rows and its digest. */
const copyUntilEqual = async (sides: Sides): Promise<readonly TableCopy[]> => {
  const compared = new Map<string, TableCopy>();
  let isWanted = (_table: string): boolean => true;
  for (let copy = 0; copy < MOST_COPIES; copy++) {
    const copies = await copyStore(sides, isWanted);
    for (const each of copies) compared.set(each.table, each);
    const different = new Set(copies.flatMap(({ table, differences }) => (differences > 0 ? [table] : [])));
    if (different.size === 0) return [...compared.values()];
    isWanted = (table) => different.has(table) || FOLLOWING_TABLES.has(table);
  }
  throw new Error(
    `After ${MOST_COPIES} copies ${sides.target.place} still differs from ${sides.source.place}. Nothing was switched. Look whether another program writes to one of them, and run the move again.`,
  );
};

const requireSameDigests = (copies: readonly TableCopy[]): void => {
  const different = copies.filter(({ digests }) => digests.source !== digests.target);
  if (different.length > 0)
    throw new Error(
      `The copies of ${different.map(({ table }) => table).join(', ')} have other contents than their sources. Nothing was switched. Run the move again.`,
    );
};

/** The source is at rest: nobody serves it, and a start is refused from here on. */
export const switchStore = async (sides: Sides, now: number): Promise<readonly TableCopy[]> => {
  const { source, target } = sides;
  await source.write(async (tx) => {
    await source.settleNumbers(tx);
    await noteMove(tx, { state: 'leaving', other: target.place, at: now });
  });
  const copies = await copyUntilEqual(sides);
  requireSameDigests(copies);
  await target.write((tx) => target.continueNumbers(tx));
  await source.write((tx) => noteMove(tx, { state: 'left', other: target.place, at: now }));
  await target.write((tx) => endMove(tx));
  return copies;
};

/** Opens a store again that a move closed. */
export const cancelMove = async (side: MovingSide): Promise<void> => {
  const move = await readMove(side.db);
  if (move === null) throw conflict(`No move of ${side.place} was begun. Nothing was changed.`);
  if (move.state === 'arriving')
    throw conflict(
      `An unfinished copy of ${move.other} is in ${side.place}. Cancel the move there, with the settings of that database.`,
    );
  await side.write((tx) => endMove(tx));
};
