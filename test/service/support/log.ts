// The log of a Memoir of this process.
import { createLog, type Log } from '../../../server/app/log.ts';

export interface Heard {
  readonly log: Log;
  /** The entries since the last time, as lines of JSON. */
  said(): string;
}

export const listen = (): Heard => {
  let lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  return {
    log,
    said() {
      const all = lines.join('');
      lines = [];
      return all;
    },
  };
};
