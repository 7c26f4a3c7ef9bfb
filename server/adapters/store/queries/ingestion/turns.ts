// Chooses the next documents, fairly between keys and between containers.
import { run } from '../../engine/run.ts';
import type { ClaimShare, FullShares } from '../../ports/ingestion/claims.ts';
import { LIVING_TEXT } from '../../statements/scoped-views.ts';
import type { Db } from '../../tables/tables.ts';

/** A document that was claimed at this many crashes of the process is claimed alone. */
const CRASHES_BEFORE_ALONE = 2;

/** Written out as in the partial indexes of the migration: with parameters in it SQLite would read every document. */
export const WAITS = `lease is null and ${LIVING_TEXT} and step not in ('done', 'failed')`;
export const SUSPECT = `${WAITS} and crashes >= ${CRASHES_BEFORE_ALONE}`;

const suspectedDocument = async (db: Db, now: number): Promise<number[]> => {
  const { rows } = await run<{ n: number }>(
    db,
    `select n from documents where ${SUSPECT} and due_at <= $1 limit 1`,
    [now],
  );
  return rows.map((row) => row.n);
};

/** Light documents, which are cut at once, and heavy ones, which are first read outside of the queue. */
type Weight = 0 | 1;

/** The sender of a document in the index of waiting documents; nobody sent what a maintenance command added. */
const SENDER = `coalesce(sent_by, '-')`;
const senderName = (key: string | null): string => key ?? '-';

const OF_WEIGHT = `${WAITS} and heavy = $1`;

/** Loose index scans: the next senders after the cursor of whom something of this weight waits. */
const WAITING_SENDERS = `
  senders (sender) as (
    select min(${SENDER}) from documents where ${OF_WEIGHT} and ${SENDER} > $2
    union all
    select (select min(${SENDER}) from documents where ${OF_WEIGHT} and ${SENDER} > senders.sender)
    from senders where senders.sender is not null)`;

const SENDERS = `with recursive ${WAITING_SENDERS}
  select sender from senders where sender is not null limit 0 + $3`;

/** The next containers after the cursor in which something of this sender waits. */
const CONTAINERS = `with recursive waiting (container) as (
    select min(container) from documents where ${OF_WEIGHT} and ${SENDER} = $4 and container > $2
    union all
    select (select min(container) from documents
      where ${OF_WEIGHT} and ${SENDER} = $4 and container > waiting.container)
    from waiting where waiting.container is not null)
  select container from waiting where container is not null limit 0 + $3`;

const OLDEST = `
  select n from documents where ${OF_WEIGHT} and ${SENDER} = $5 and container = $2 and due_at <= $3
  order by due_at, n limit 0 + $4`;

const NEXT_DUE = `with recursive ${WAITING_SENDERS},
  waiting (sender, container) as (
    select sender, (select min(container) from documents where ${OF_WEIGHT} and ${SENDER} = senders.sender)
    from senders where sender is not null and ($1 = 0 or sender not in (select value from text_list($4)))
    union all
    select sender, (select min(container) from documents
      where ${OF_WEIGHT} and ${SENDER} = waiting.sender and container > waiting.container)
    from waiting where waiting.container is not null)
  select min((select min(due_at) from documents
    where ${OF_WEIGHT} and ${SENDER} = waiting.sender and container = waiting.container)) as due
  from waiting where container is not null and ($1 = 0 or container not in (select value from number_list($3)))`;

interface FairChoice {
  ns: number[];
  /** The last container that was checked; null: none waits after the cursor. */
  last: number | null;
}

/** One choice of documents, bound to its connection. */
interface ChoiceContext {
  db: Db;
  weight: Weight;
  share: ClaimShare;
  now: number;
}

interface SenderContext extends ChoiceContext {
  sender: string;
}

const heavyLeft = ({ heavyLeft: left, heavyEach }: ClaimShare, container: number): number =>
  Math.max(0, left?.get(container) ?? heavyEach ?? Number.MAX_SAFE_INTEGER);

/** The share of the sender that is left; light documents have no limit. */
const leftOfSender = ({ share, weight, sender }: SenderContext): number => {
  if (weight === 0) return Number.MAX_SAFE_INTEGER;
  const left = [...(share.heavyLeftOfKey ?? [])].find(([key]) => senderName(key) === sender)?.[1];
  return Math.max(0, left ?? share.heavyEachKey ?? Number.MAX_SAFE_INTEGER);
};

/** A few documents of each waiting container of a sender, so that none starves; the fewer containers wait, the more of each. */
const fairChoice = async (context: SenderContext, cursor: number): Promise<FairChoice> => {
  const { db, weight, share, now, sender } = context;
  const { rows: waiting } = await run<{ container: number }>(db, CONTAINERS, [
    weight,
    cursor,
    share.containers,
    sender,
  ]);
  const each = Math.ceil(share.documents / Math.max(1, waiting.length));
  const ns: number[] = [];
  let last: number | null = null;
  for (const { container } of waiting) {
    if (ns.length >= share.documents) break;
    const left = weight === 0 ? each : heavyLeft(share, container);
    const limit = Math.min(each, left, share.documents - ns.length);
    const { rows } = await run<{ n: number }>(db, OLDEST, [weight, container, now, limit, sender]);
    ns.push(...rows.map((row) => row.n));
    last = container;
  }
  return { ns, last };
};

/** Goes once around all containers, because those whose documents are not due must not hide the others. */
const nextChoice = async (context: SenderContext, cursor: number): Promise<FairChoice> => {
  let from = cursor;
  let wrapped = cursor === 0;
  for (;;) {
    const choice = await fairChoice(context, from);
    if (choice.ns.length > 0) return choice;
    if (choice.last === null && wrapped) return choice;
    if (choice.last === null) wrapped = true;
    from = choice.last ?? 0;
  }
};

/** The place of the last choice: the next one begins after it. */
interface Cursor {
  readonly sender: string;
  /** The last container of each sender that has more. */
  readonly containers: ReadonlyMap<string, number>;
}

/** A cursor for each weight of documents. */
export interface Cursors {
  readonly light: Cursor;
  readonly heavy: Cursor;
}

const NO_CURSOR: Cursor = { sender: '', containers: new Map() };
export const NO_CURSORS: Cursors = { light: NO_CURSOR, heavy: NO_CURSOR };

interface SharedChoice {
  ns: number[];
  cursor: Cursor;
}

/** The same number of documents for each of the next senders; what one leaves is for those after it. */
const choiceOfSenders = async (context: ChoiceContext, cursor: Cursor): Promise<SharedChoice> => {
  const { db, weight, share } = context;
  const { rows } = await run<{ sender: string }>(db, SENDERS, [weight, cursor.sender, share.containers]);
  const containers = new Map(cursor.containers);
  const ns: number[] = [];
  for (const [at, { sender }] of rows.entries()) {
    const own = { ...context, sender };
    const each = Math.ceil((share.documents - ns.length) / (rows.length - at));
    const documents = Math.min(each, leftOfSender(own));
    if (documents === 0) continue;
    const choice = await nextChoice({ ...own, share: { ...share, documents } }, containers.get(sender) ?? 0);
    ns.push(...choice.ns);
    if (choice.last === null) containers.delete(sender);
    else containers.set(sender, choice.last);
  }
  const isEnd = rows.length < share.containers;
  return { ns, cursor: { sender: isEnd ? '' : (rows.at(-1)?.sender ?? ''), containers } };
};

/** Goes once around all senders. */
const nextShare = async (context: ChoiceContext, cursor: Cursor): Promise<SharedChoice> => {
  if (context.share.documents === 0) return { ns: [], cursor };
  let from = cursor;
  let wrapped = cursor.sender === '';
  for (;;) {
    const choice = await choiceOfSenders(context, from);
    const isEnd = choice.cursor.sender === '';
    if (choice.ns.length > 0 || (isEnd && wrapped)) return choice;
    wrapped ||= isEnd;
    from = choice.cursor;
  }
};

/** Senders take turns, and the containers of each. A document that may crash the process is claimed alone. */
export const nextTurns = async (
  db: Db,
  cursors: Cursors,
  share: ClaimShare,
  now: number,
): Promise<{ ns: number[]; cursors: Cursors }> => {
  const alone = await suspectedDocument(db, now);
  if (alone.length > 0) return { ns: alone, cursors };
  const room = share.heavy ?? share.documents;
  const light = await nextShare({ db, weight: 0, share, now }, cursors.light);
  const heavy = await nextShare({ db, weight: 1, share: { ...share, documents: room }, now }, cursors.heavy);
  return { ns: [...light.ns, ...heavy.ns], cursors: { light: light.cursor, heavy: heavy.cursor } };
};

export const nextDue = async (db: Db, heavy: boolean, full: FullShares): Promise<number | null> => {
  const dues: number[] = [];
  const places = [JSON.stringify(full.containers), JSON.stringify(full.keys.map(senderName))];
  for (const weight of heavy ? [0, 1] : [0]) {
    const { rows } = await run<{ due: number | null }>(db, NEXT_DUE, [weight, '', ...places]);
    if (rows[0]?.due != null) dues.push(rows[0].due);
  }
  return dues.length === 0 ? null : Math.min(...dues);
};
