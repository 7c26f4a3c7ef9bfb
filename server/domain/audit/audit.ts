// The audit log: who may read it reads it here, and once a day its beginning is pruned and its end is said in the log.
import type {
  AuditListOutput,
  AuditQueryInput,
  AuditVerifyOutput,
} from '../../../tools/audit/schemas/audit.ts';
import type {
  AuditEntry,
  AuditKeeping,
  AuditStore,
  ChainCheck,
  ChainPlace,
} from '../../adapters/store/ports/audit.ts';
import type { AuditSubject } from '../../core/audit.ts';
import { auditNote, serverNote } from '../../core/audit-note.ts';
import type { Logger } from '../../core/log.ts';
import type { Caller } from '../../core/principal.ts';
import { daily } from '../../lib/async/background/daily.ts';
import { defined } from '../../lib/defined.ts';
import { DAY_MS } from '../../lib/text/dates/calendar.ts';
import { isoTime } from '../../lib/text/dates/format.ts';
import { createRefusedSignIns } from './refused-sign-ins.ts';

export interface Audit {
  list(caller: Caller, query: AuditQueryInput): Promise<AuditListOutput>;
  verify(caller: Caller): Promise<AuditVerifyOutput>;
  /** Makes a change that the database does not hold, and notes it; the call fails if it cannot be noted. */
  after<T>(caller: Caller, subject: AuditSubject, change: () => Promise<T>): Promise<T>;
  /** Counts one refused sign-in of the running hour. */
  signInRefused(address: string): void;
  /** Prunes, and says the end of the chain in the log; now and once a day. */
  keep(): Promise<void>;
  close(): Promise<void>;
}

export interface AuditDeps {
  store: AuditStore & AuditKeeping;
  /** The mode of the log of requests from now on. */
  requestLog: string;
  /** The number of days that rows stay; null: for ever. */
  days: number | null;
  now: () => number;
  log: Pick<Logger, 'info' | 'warn'>;
}

/** The time for which the address of the client of a change is kept. */
const ADDRESS_DAYS = 30;

const presentAuditRow = (entry: AuditEntry): AuditListOutput['entries'][number] => {
  const { n, at, actor, way, requestId, action, target, tags, details, hash, address } = entry;
  return {
    ...{ n, at: isoTime(at), actor: { ...actor }, way, requestId, action, target },
    ...{ containerTags: [...tags], details: { ...details }, address, hash },
  };
};

const WHY: Readonly<Record<NonNullable<ChainCheck['broken']>['why'], string>> = {
  changed: 'was changed',
  missing: 'is missing',
  inserted: 'was put in beside the chain',
};

const verified = (rows: number, { place, broken }: ChainCheck): AuditVerifyOutput =>
  broken === null
    ? { whole: true, rows, last: { ...place }, broken: null }
    : {
        ...{ whole: false, rows, last: { ...place } },
        broken: { ...broken, message: `Row ${broken.n} of the audit log ${WHY[broken.why]}.` },
      };

const verifyChain = async ({ store }: AuditDeps, caller: Caller): Promise<AuditVerifyOutput> => {
  let after: ChainPlace | null = null;
  let rows = 0;
  for (;;) {
    const slice: ChainCheck = await store.check(caller.scope, after);
    rows += slice.rows;
    if (slice.done) return verified(rows, slice);
    after = slice.place;
  }
};

const listEntries = async (
  { store }: AuditDeps,
  caller: Caller,
  { page, limit, ...narrowing }: AuditQueryInput,
): Promise<AuditListOutput> => {
  const query = { ...defined(narrowing), limit, offset: (page - 1) * limit };
  const { entries, total } = await store.list(caller.scope, query);
  return {
    entries: entries.map(presentAuditRow),
    pagination: { currentPage: page, limit, totalItems: total, totalPages: Math.ceil(total / limit) },
  };
};

/** A change of the setting is noticed at the next start. */
const noteMode = async ({ store, requestLog: mode }: AuditDeps): Promise<void> => {
  await store.requestLog(mode, serverNote('requestlog.mode', { details: { mode } }));
};

const keepOnce = async ({ store, days, now, log }: AuditDeps): Promise<void> => {
  const before = days === null ? Number.MIN_SAFE_INTEGER : now() - days * DAY_MS;
  await store.prune({ before, addressesBefore: now() - ADDRESS_DAYS * DAY_MS });
  const { n, hash } = await store.head();
  // A copy of this line kept elsewhere shows later that the chain was not written anew. A first start has one row: its key.
  if (n > 1) log.info({ row: n, hash }, 'The end of the audit log.');
};

export const createAudit = (deps: AuditDeps): Audit => {
  const keeping = daily(() =>
    noteMode(deps)
      .then(() => keepOnce(deps))
      .catch((err) => deps.log.warn({ err }, 'The audit log was not pruned.')),
  );
  const refused = createRefusedSignIns(deps);
  return {
    list: (caller, query) => listEntries(deps, caller, query),
    verify: (caller) => verifyChain(deps, caller),
    async after(caller, subject, change) {
      const result = await change();
      const note = auditNote(caller, subject);
      if (note !== null) await deps.store.append(note);
      return result;
    },
    signInRefused: refused.note,
    keep: keeping.begin,
    async close() {
      keeping.stop();
      await refused.flush();
    },
  };
};
