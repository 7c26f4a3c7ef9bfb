// A look at drives: what each one's log of changes shows since the last look, or everything.
import { z } from 'zod';
import { answerAs } from '../answer-shape.ts';
import type { Choice, LookPage, Seen, SourceJson } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { askGraph, checkedAddress, type Graph } from './graph.ts';
import { DRIVE_ITEM, driveOf, ITEM_FIELDS, type ListedDrive, seenItem } from './items.ts';

const WEEK_MS = 7 * 24 * 60 * 60_000;
/** Their places are whole addresses, of which the cursor holds so many. */
const MOST_DRIVES = 30;

const DRIVE_STATE = z.object({
  name: z.string(),
  site: z.string().nullable(),
  root: z.string().nullable(),
  /** The place where the next look goes on; null: there was none. */
  link: z.string().nullable(),
});

const CURSOR = z.object({
  version: z.literal(1),
  drives: z.record(z.string(), DRIVE_STATE),
  /** The time at which everything was listed: changes of permissions are not in the logs. */
  wholeAt: z.number(),
  /** True: this look lists everything. */
  whole: z.boolean(),
  /** The drives of this look that are at their end. */
  done: z.array(z.string()),
  /** The next page of the drive under way. */
  next: z.string().nullable(),
});
type Cursor = z.output<typeof CURSOR>;

const DELTA = z.object({
  value: z.array(DRIVE_ITEM),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
});
type Delta = z.output<typeof DELTA>;

export const DRIVE = z.object({ id: z.string(), name: z.string().nullish() });

const SITE_NAME = z.object({ site: z.string() });

export interface DriveLook {
  readonly graph: Graph;
  /** The path of the drive that is synced as a whole, as in "/me/drive"; null: the paths of the selection are synced. */
  readonly whole: string | null;
  readonly choice: Choice;
  readonly now: number;
}

const tooManyDrives = (count: number): SourceError =>
  new SourceError(
    'bad_options',
    `A connection reads at most ${MOST_DRIVES} drives, and ${count} are chosen. Make a second connection for the others.`,
  );

const askDrive = async (graph: Graph, path: string): Promise<z.output<typeof DRIVE> | null> =>
  askGraph(graph, `${path}?$select=id,name`, {
    ...{ shape: DRIVE, what: 'a drive', template: '/drives/{id}', missing: [404] },
  });

const chosenSite = (choice: Choice, drive: string): string | null => {
  const chosen = (choice ?? []).find(({ id }) => driveOf(id) === drive);
  const parsed = SITE_NAME.safeParse(chosen?.how);
  return parsed.success ? parsed.data.site : null;
};

/** The drives of the connection, each at the beginning of its listing. */
const beginWholeListing = async ({ graph, whole, choice, now }: DriveLook): Promise<Cursor> => {
  const ids = [...new Set((choice ?? []).map(({ id }) => driveOf(id)))];
  if (whole === null && ids.length > MOST_DRIVES) throw tooManyDrives(ids.length);
  const drives: Cursor['drives'] = {};
  for (const path of whole === null ? ids.map((id) => `/drives/${encodeURIComponent(id)}`) : [whole]) {
    const found = await askDrive(graph, path);
    if (found === null)
      throw new SourceError(
        'not_found',
        'A chosen drive does not exist any more, or the account may not read it. Choose again.',
      );
    const site = chosenSite(choice, found.id);
    drives[found.id] = { name: found.name ?? 'OneDrive', site, root: null, link: null };
  }
  return { version: 1, drives, wholeAt: now, whole: true, done: [], next: null };
};

const isAtStart = ({ done, next }: Cursor): boolean => done.length === 0 && next === null;

const openLook = async (look: DriveLook, stored: SourceJson): Promise<Cursor> => {
  const parsed = CURSOR.safeParse(stored);
  if (!parsed.success) return beginWholeListing(look);
  const cursor = parsed.data;
  return isAtStart(cursor) && !cursor.whole && look.now - cursor.wholeAt > WEEK_MS
    ? beginWholeListing(look)
    : cursor;
};

const firstAddress = (drive: string): string =>
  `/drives/${encodeURIComponent(drive)}/root/delta?$select=${ITEM_FIELDS}&$top=1000`;

/** Null with an address: the log does not reach back so far, and everything is listed from there. */
type Answered = { readonly delta: Delta } | { readonly restartAt: string | null };

const askDelta = async (graph: Graph, path: string): Promise<Answered> => {
  const address = path.startsWith('/') ? `${graph.origin}/v1.0${path}` : checkedAddress(graph, path);
  const answer = await graph.ask(
    address,
    { headers: { deltaexcludeparent: 'true' }, accept: [410], template: '/drives/{id}/root/delta' },
    graph.signal,
  );
  if (answer.status !== 410) return { delta: await answerAs(answer, DELTA, 'a page of changes') };
  answer.discard();
  return { restartAt: answer.headers.location ?? null };
};

/** The last occurrence counts. */
const lastOfEach = (items: Delta['value']): Delta['value'] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

const seenItems = ({ value }: Delta, drive: ListedDrive): Seen[] =>
  lastOfEach(value).map((item) => seenItem(item, drive));

const unfinishedDrive = ({ drives, done }: Cursor): string | undefined =>
  Object.keys(drives).find((id) => !done.includes(id));

/** A drive whose log was lost goes on where Microsoft says, and the others list everything too. */
const restarted = async (look: DriveLook, drive: string, address: string | null): Promise<Cursor> => {
  const cursor = await beginWholeListing(look);
  if (address === null || cursor.drives[drive] === undefined) return cursor;
  const others = Object.entries(cursor.drives).filter(([id]) => id !== drive);
  const first = { [drive]: cursor.drives[drive], ...Object.fromEntries(others) };
  return { ...cursor, drives: first, next: checkedAddress(look.graph, address) };
};

const repeatedChanges = (): SourceError =>
  new SourceError('bad_answer', 'Microsoft repeats a page of changes.', {
    syncGoesOn: 'It is listed again at the next look.',
  });

/** The place after a page. */
const afterPage = (cursor: Cursor, drive: string, root: string | null, delta: Delta): Cursor => {
  const { '@odata.nextLink': next, '@odata.deltaLink': link } = delta;
  const state = cursor.drives[drive];
  if (state === undefined) return cursor;
  if (next !== undefined)
    return { ...cursor, drives: { ...cursor.drives, [drive]: { ...state, root } }, next };
  if (link === undefined)
    throw new SourceError(
      'bad_answer',
      'Microsoft ended a list of changes without the place of the next one.',
    );
  const drives = { ...cursor.drives, [drive]: { ...state, root, link } };
  return { ...cursor, drives, done: [...cursor.done, drive], next: null };
};

const topFolderOf = ({ value }: Delta): string | null => value.find(({ root }) => root != null)?.id ?? null;

export async function* lookAtDrives(look: DriveLook, stored: SourceJson): AsyncGenerator<LookPage> {
  let cursor = await openLook(look, stored);
  for (let id = unfinishedDrive(cursor); id !== undefined; id = unfinishedDrive(cursor)) {
    const state = cursor.drives[id];
    if (state === undefined) break;
    const address = cursor.next ?? (cursor.whole ? null : state.link) ?? firstAddress(id);
    const answered = await askDelta(look.graph, address);
    if ('restartAt' in answered) {
      cursor = await restarted(look, id, answered.restartAt);
      yield { items: [], cursor, restart: true };
      continue;
    }
    const { delta } = answered;
    if (delta['@odata.nextLink'] === address) throw repeatedChanges();
    for (const link of [delta['@odata.nextLink'], delta['@odata.deltaLink']])
      if (link !== undefined) checkedAddress(look.graph, link);
    const root = topFolderOf(delta) ?? state.root;
    const items = seenItems(delta, { id, name: state.name, site: state.site, root });
    cursor = afterPage(cursor, id, root, delta);
    if (unfinishedDrive(cursor) !== undefined) yield { items, cursor };
    else
      return yield {
        ...{ items, cursor: { ...cursor, whole: false, done: [], next: null } },
        end: cursor.whole ? 'whole' : 'delta',
      };
  }
  yield { items: [], cursor: { ...cursor, whole: false, done: [], next: null }, end: 'delta' };
}
