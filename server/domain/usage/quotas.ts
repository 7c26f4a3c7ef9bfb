// Quotas: what a key, a member or a container tag may use in a day or a month. Without any they cost nothing.
import type { QuotaName, QuotasOutput, SetQuotasInput } from '../../../tools/quotas/schemas/quotas.ts';
import type {
  QuotaHolder,
  QuotaRecord,
  QuotaStore,
  QuotaUse,
} from '../../adapters/store/ports/usage/quotas.ts';
import { auditNote, quotaNames } from '../../core/audit-note.ts';
import { forbidden, MemoirError, notFound } from '../../core/errors.ts';
import type { CallFacts } from '../../core/events.ts';
import type { Caller, Principal } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { DAY_MS } from '../../lib/text/dates/calendar.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { plural } from '../../lib/text/plural.ts';

export interface Quotas {
  /** 429 if the call would go beyond a quota; else it counts at once. The result is called when the call was recorded. */
  admit(caller: Principal, facts: CallFacts): Promise<() => void>;
  /** After a change of keys: the quotas of one may be those of another now. */
  forget(): void;
  list(caller: Caller): Promise<QuotasOutput>;
  set(caller: Caller, input: SetQuotasInput): Promise<QuotasOutput>;
  /** A change of the key or the tag that writes these quotas itself, and then those that are set. */
  along<Changed>(
    caller: Principal,
    input: SetQuotasInput,
    change: () => Promise<Changed>,
  ): Promise<Changed & QuotasOutput>;
}

export interface QuotasDeps {
  store: QuotaStore;
  /** 403 unless the caller manages the organisation, and the key or member is not above it. */
  checkMayLimit(caller: Principal, holder: Pick<SetQuotasInput, 'of' | 'id'>): Promise<void>;
  /** Writes what this process counted. */
  flush(): Promise<void>;
  now: () => number;
}

/** A change of another process, and what another one used, is noticed after this. */
const FRESH_MS = 2_000;

type Kind = keyof QuotaUse;

const kindOf = (quota: string): Kind => quota.replace(/Per(?:Day|Month)$/, '') as Kind;

/** The bounds of the day or the month that a moment lies in, in UTC. */
const periodOf = (quota: string, at: number): { from: number; to: number } => {
  if (quota.endsWith('PerDay')) return { from: at - (at % DAY_MS), to: at - (at % DAY_MS) + DAY_MS };
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { from: Date.UTC(year, month, 1), to: Date.UTC(year, month + 1, 1) };
};

interface Known {
  /** The use in the store, the use under way at that time, and the use that this process admitted since then. */
  used: QuotaUse;
  readonly from: number;
  readonly readAt: number;
  /** The amounts that this process may admit until the store is read again, and has admitted. */
  readonly trusted: number;
  admitted: number;
}

const HOLDERS: Readonly<Record<QuotaHolder, string>> = {
  key: 'this key',
  member: 'this member',
  tag: 'the container tag',
};

const WORDS: Readonly<Record<Kind, readonly [one: string, many: string]>> = {
  documents: ['document', 'documents'],
  bytes: ['byte of content', 'bytes of content'],
  searches: ['search', 'searches'],
  tokens: ['token of language models', 'tokens of language models'],
};

const holderInWords = ({ of, id }: QuotaRecord, { keyId }: Principal): string => {
  if (of === 'tag') return `${HOLDERS.tag} ${JSON.stringify(id)}`;
  return of === 'key' && id !== keyId ? 'the key that made this one' : HOLDERS[of];
};

/** A call that is larger than what is left may still fit when it sends less. */
const refusalInWords = (
  { quota, most }: QuotaRecord,
  { whose, left, wanted, end }: { whose: string; left: number; wanted: number; end: string },
): string => {
  const amount = `${plural(most, ...WORDS[kindOf(quota)])} per ${quota.endsWith('PerDay') ? 'day' : 'month'}`;
  const raise = 'or have somebody with full access raise it.';
  if (left <= 0)
    return `The quota ${quota} of ${whose} is used up: ${amount}. It ends at ${end}. Wait until then, ${raise}`;
  const why = `The quota ${quota} of ${whose} leaves ${left} of ${amount}, and this call needs ${wanted}.`;
  return wanted > most
    ? `${why} Send less at once, ${raise}`
    : `${why} It ends at ${end}. Send less at once, wait until then, ${raise}`;
};

const beyond = (
  refused: QuotaRecord,
  { caller, left, wanted, now }: { caller: Principal; left: number; wanted: number; now: number },
): MemoirError => {
  const whose = holderInWords(refused, caller);
  const { to } = periodOf(refused.quota, now);
  return new MemoirError(429, refusalInWords(refused, { whose, left, wanted, end: isoTime(to) }), {
    headers: {
      'retry-after': String(Math.max(1, Math.ceil((to - now) / 1_000))),
      'x-should-retry': 'false',
    },
  });
};

/** The use of a call; tokens are spent later, so content is refused once they are used up. */
const wantedBy = ({ documents, bytes, searches }: CallFacts): QuotaUse => ({
  ...{ documents, bytes, searches },
  tokens: documents > 0 ? 1 : 0,
});

const holdersOf = (
  { keyId, makers = [], member }: Principal,
  { tags }: CallFacts,
): readonly [QuotaHolder, string][] => [
  ...[keyId, ...makers].map((key): [QuotaHolder, string] => ['key', key]),
  ...(member === undefined ? [] : [['member', member.id] as [QuotaHolder, string]]),
  ...tags.map((tag): [QuotaHolder, string] => ['tag', tag]),
];

/** After this part of what was left, the store is asked again: other processes may have used as much. */
const TRUSTED_SHARE = 0.1;
/** The same as a part of the whole quota: a process that is slow for a moment holds no more than this uncounted. */
const UNCOUNTED_SHARE = 0.0025;

const NOTHING_USED: QuotaUse = { documents: 0, bytes: 0, searches: 0, tokens: 0 };

const sumOfUse = (one: QuotaUse, other: QuotaUse, sign = 1): QuotaUse => ({
  documents: one.documents + sign * other.documents,
  bytes: one.bytes + sign * other.bytes,
  searches: one.searches + sign * other.searches,
  tokens: one.tokens,
});

const nameOfQuota = ({ of, id, quota }: QuotaRecord): string => `${of} ${quota} ${id}`;

/** The quotas and what is used of them, as known for a moment. */
const createQuotaBook = ({ store, flush, now }: QuotasDeps) => {
  let all: { quotas: readonly QuotaRecord[]; readAt: number } | null = null;
  const known = new Map<string, Known>();
  const reading = new Map<string, Promise<void>>();
  /** Admitted calls that have not ended: no count in the store holds them. */
  const underWay = new Map<string, QuotaUse>();

  const isTrusted = (one: Known | undefined, from: number): boolean =>
    one !== undefined &&
    one.from === from &&
    now() - one.readAt < FRESH_MS &&
    (one.admitted === 0 || one.admitted < one.trusted);

  async function read(quota: QuotaRecord, from: number): Promise<void> {
    const name = nameOfQuota(quota);
    await flush();
    const stored = await store.used(quota.of, quota.id, from);
    const used = sumOfUse(stored, underWay.get(name) ?? NOTHING_USED);
    const left = Math.max(0, quota.most - used[kindOf(quota.quota)]);
    const trusted = Math.min(left * TRUSTED_SHARE, quota.most * UNCOUNTED_SHARE);
    known.set(name, { used, from, readAt: now(), trusted, admitted: 0 });
  }

  return {
    forget(): void {
      all = null;
      known.clear();
    },
    async quotas(): Promise<readonly QuotaRecord[]> {
      if (all === null || now() - all.readAt >= FRESH_MS) all = { quotas: await store.list(), readAt: now() };
      return all.quotas;
    },
    /** Calls that come at once wait for one look into the store. */
    async refresh(quota: QuotaRecord): Promise<void> {
      const name = nameOfQuota(quota);
      const { from } = periodOf(quota.quota, now());
      if (isTrusted(known.get(name), from)) return;
      const asked = reading.get(name) ?? read(quota, from).finally(() => reading.delete(name));
      reading.set(name, asked);
      await asked;
    },
    use: (quota: QuotaRecord): Known | undefined => known.get(nameOfQuota(quota)),
    /** Returns what ends the call. */
    begin(quotas: readonly QuotaRecord[], wanted: QuotaUse): () => void {
      const names = quotas.map(nameOfQuota);
      const note = (sign: number): void => {
        for (const name of names)
          underWay.set(name, sumOfUse(underWay.get(name) ?? NOTHING_USED, wanted, sign));
      };
      note(1);
      return () => note(-1);
    },
  };
};

/** Checked and counted in one step, so that calls at the same time do not pass together. */
const countOrRefuse = (
  uses: readonly { quota: QuotaRecord; use: Known | undefined }[],
  { caller, wanted, now }: { caller: Principal; wanted: QuotaUse; now: number },
): void => {
  for (const { quota, use } of uses) {
    const kind = kindOf(quota.quota);
    const left = quota.most - (use?.used[kind] ?? 0);
    if (wanted[kind] > left) throw beyond(quota, { caller, left, wanted: wanted[kind], now });
  }
  for (const { quota, use } of uses) {
    if (use === undefined) continue;
    use.used = sumOfUse(use.used, wanted);
    use.admitted += wanted[kindOf(quota.quota)];
  }
};

const presentQuotas = async (
  { store, now }: QuotasDeps,
  quotas: readonly QuotaRecord[],
): Promise<QuotasOutput> => ({
  quotas: await Promise.all(
    quotas.map(async ({ of, id, quota, most }) => {
      const { from, to } = periodOf(quota, now());
      const used = (await store.used(of, id, from))[kindOf(quota)];
      return { of, id, quota: quota as QuotaName, limit: most, used, endsAt: isoTime(to) };
    }),
  ),
});

const checkMaySet = async (
  { checkMayLimit }: QuotasDeps,
  caller: Principal,
  { of, id }: SetQuotasInput,
): Promise<void> => {
  if (of === 'key' && id === caller.keyId)
    throw forbidden(
      'A key sets no quota of its own. Use another key with full access, or "memoir quotas set" on the machine of the server.',
    );
  await checkMayLimit(caller, { of, id });
};

const nothing = (): void => undefined;

export const createQuotas = (deps: QuotasDeps): Quotas => {
  const { store, flush, now } = deps;
  const book = createQuotaBook(deps);

  const along: Quotas['along'] = async (caller, asked, change) => {
    await checkMaySet(deps, caller, asked);
    const changed = await change();
    book.forget();
    await flush();
    const all = await store.list();
    const its = all.filter(({ of, id }) => of === asked.of && id === asked.id);
    return { ...changed, ...(await presentQuotas(deps, its)) };
  };

  return {
    forget: book.forget,
    async admit(caller, facts) {
      const quotas = await book.quotas();
      if (quotas.length === 0) return nothing;
      const wanted = wantedBy(facts);
      const holders = holdersOf(caller, facts);
      const mine = quotas.filter(
        ({ of, id, quota }) =>
          wanted[kindOf(quota)] > 0 && holders.some(([kind, one]) => kind === of && one === id),
      );
      await Promise.all(mine.map(book.refresh));
      countOrRefuse(
        mine.map((quota) => ({ quota, use: book.use(quota) })),
        { caller, wanted, now: now() },
      );
      return book.begin(mine, wanted);
    },
    async list() {
      await flush();
      return presentQuotas(deps, await store.list());
    },
    along,
    set: (caller, input) =>
      along(caller, input, async () => {
        const { of, id } = input;
        const quotas = defined(input.quotas);
        const note = auditNote(caller, { target: { kind: of, id }, details: quotaNames(quotas) });
        if (!(await store.change({ of, id, quotas }, note)))
          throw notFound(
            `There is no ${of === 'tag' ? 'container tag' : of} ${JSON.stringify(id)}, so no quota was set. Check its id or name.`,
          );
        return {};
      }),
  };
};
