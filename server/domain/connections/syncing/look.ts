// The first half of a run: asks the source what changed, page by page. Each page is stored with the cursor that follows it.
import type { Choice, LookPage, ReadItem, SourceJson } from '../../../adapters/connect/port.ts';
import type { WantedItem } from '../../../adapters/store/ports/connections/connections.ts';
import { LEASE_MS, lookEvery, type RunContext, requireLease } from './context.ts';
import { faceOf, ledgerItem, pathOfItem } from './describe-item.ts';
import { isLeftOut } from './leave-out.ts';

const storeLookPage = async (
  { deps, run, rules }: RunContext,
  page: LookPage,
  { restart, begins }: { restart: boolean; begins: boolean },
) => {
  const stored = await deps.store.storePage(
    run,
    {
      items: page.items.map(ledgerItem),
      cursor: page.cursor,
      ...(page.covered === undefined ? {} : { covered: page.covered }),
      ...(page.again === true ? { again: true } : {}),
      ...(restart || page.restart === true ? { restart: true } : {}),
      ...(begins ? { begins: true } : {}),
    },
    rules,
    LEASE_MS,
  );
  requireLease(stored);
};

/** Pages that show nothing new and lead nowhere would make an endless look. */
const MOST_EMPTY_PAGES = 1_000;

/** `held`: too much was missing, so a person has to agree before anything is removed. */
type LookEnd = 'complete' | 'held';

/** A refused cursor leads to one listing of everything; equal marks keep what is known from being read again. */
const followLook = async (context: RunContext, cursor: SourceJson, restart: boolean): Promise<LookEnd> => {
  const { deps, run, opened, rules, signal } = context;
  let first = true;
  let empty = 0;
  try {
    for await (const page of opened.source.look(cursor, run.record.choice as Choice, signal)) {
      signal.throwIfAborted();
      await storeLookPage(context, page, { restart: first && restart, begins: first && cursor === null });
      first = false;
      empty = page.items.length === 0 ? empty + 1 : 0;
      if (page.end === 'delta') return 'complete';
      if (page.end === 'whole') {
        const { outcome } = requireLease(await deps.store.endWholeLook(run, rules));
        return outcome === 'held' ? 'held' : 'complete';
      }
      if (empty > MOST_EMPTY_PAGES)
        throw deps.failWith('provider_unavailable', 'The listing does not come to its end.');
    }
  } catch (error) {
    if (cursor === null || deps.failureOf(error)?.code !== 'cursor_refused') throw error;
    return followLook(context, null, true);
  }
  throw deps.failWith('provider_unavailable', 'The listing broke off before its end.');
};

const FILES_AT_ONCE = 500;

/** Leaves out what the rules of the settings exclude now, and brings back what they no longer exclude. */
const applyRules = async (context: RunContext): Promise<void> => {
  const { deps, run } = context;
  const rules = await deps.rules();
  let after = '';
  for (;;) {
    const files = await deps.store.files(run.connection, after, FILES_AT_ONCE);
    const leftOut: string[] = [];
    const back: string[] = [];
    for (const file of files) {
      const isOut = file.state === 'skipped' && file.errorCode === 'left_out';
      const face = faceOf(file);
      const path = await pathOfItem(context, file);
      const shouldBeOut =
        rules !== null && isLeftOut(rules, { title: face.title, path, url: face.url ?? null });
      if (shouldBeOut && !isOut && file.state !== 'skipped') leftOut.push(file.id);
      if (!shouldBeOut && isOut) back.push(file.id);
    }
    if (leftOut.length + back.length > 0) requireLease(await deps.store.applyFilter(run, { leftOut, back }));
    after = files.at(-1)?.id ?? after;
    if (files.length < FILES_AT_ONCE) return;
  }
};

export const readItemOf = (item: WantedItem): ReadItem => ({
  id: item.id,
  mark: item.mark,
  face: faceOf(item),
  how: item.how as SourceJson,
  takenMark: item.takenMark,
});

const DAY_MS = 24 * 60 * 60_000;
const ASKED_AT_LEAST = 50;

/** For a source whose listing proves nothing: what no look has shown for a day is asked for, a part of it with each look. */
const askForUnseen = async ({ deps, run, opened, rules, signal }: RunContext): Promise<void> => {
  const { source, kind } = opened;
  if (source.exists === undefined) return;
  const everyMs = lookEvery(deps, kind);
  const looksOfADay = everyMs === null ? 1 : Math.max(1, Math.round(DAY_MS / everyMs));
  const most = Math.max(ASKED_AT_LEAST, Math.ceil(run.record.documentLimit / looksOfADay));
  const unseen = await deps.store.unseen(run.connection, run.look - looksOfADay, most);
  const gone: string[] = [];
  const here: string[] = [];
  for (const item of unseen) {
    const answer = await source.exists(readItemOf(item), signal);
    if (answer === 'gone') gone.push(item.id);
    if (answer === 'here') here.push(item.id);
  }
  if (gone.length > 0) requireLease(await deps.store.noteGone(run, gone, rules));
  if (here.length > 0) requireLease(await deps.store.noteHere(run, here));
};

export const lookForChanges = async (context: RunContext): Promise<LookEnd> => {
  const { deps, run, rules } = context;
  const end = await followLook(context, run.cursor as SourceJson, false);
  if (end === 'held') return end;
  await askForUnseen(context);
  if (rules.selects) requireLease(await deps.store.settleChoice(run));
  await applyRules(context);
  return end;
};
