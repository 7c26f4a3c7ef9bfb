// Refused sign-ins, summed by address and hour: a row for each guess would let a guesser fill the log.
import type { AuditKeeping } from '../../adapters/store/ports/audit.ts';
import { serverNote } from '../../core/audit-note.ts';
import type { Logger } from '../../core/log.ts';
import { HOUR_MS, startOfHour } from '../../lib/text/dates/calendar.ts';
import { isoTime } from '../../lib/text/dates/format.ts';

export interface RefusedSignIns {
  /** Neither throws nor waits. */
  note(address: string): void;
  /** Writes what was summed until now. */
  flush(): Promise<void>;
}

interface RefusedSignInsDeps {
  store: Pick<AuditKeeping, 'append'>;
  now: () => number;
  log: Pick<Logger, 'warn'>;
}

/** The addresses that are counted by themselves in an hour; sign-ins from further ones are summed under none. */
const MOST_ADDRESSES = 100;

export const createRefusedSignIns = ({ store, now, log }: RefusedSignInsDeps): RefusedSignIns => {
  let counts = new Map<string | null, number>();
  let hour = 0;
  let timer: NodeJS.Timeout | undefined;

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const taken = counts;
    counts = new Map();
    for (const [address, count] of taken) {
      const note = serverNote('session.refused', { details: { count, hour: isoTime(hour) } });
      await store.append({ ...note, address });
    }
  };
  const flush = (): Promise<void> =>
    write().catch((err: unknown) => log.warn({ err }, 'Refused sign-ins were not noted in the audit log.'));

  return {
    note(address) {
      const at = now();
      if (startOfHour(at) !== hour) {
        void flush();
        hour = startOfHour(at);
      }
      const name = counts.has(address) || counts.size < MOST_ADDRESSES ? address : null;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), hour + HOUR_MS - at).unref();
    },
    flush,
  };
};
