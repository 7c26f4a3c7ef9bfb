// Work that is done at the start and once a day.
import { DAY_MS } from '../../text/dates/calendar.ts';

export interface Daily {
  /** Does it now, and again a day later. */
  begin(): Promise<void>;
  stop(): void;
}

/** The work handles its own errors. */
export const daily = (work: () => Promise<void>): Daily => {
  let timer: NodeJS.Timeout | undefined;
  const begin = async (): Promise<void> => {
    clearTimeout(timer);
    timer = setTimeout(() => void begin(), DAY_MS).unref();
    await work();
  };
  return { begin, stop: () => clearTimeout(timer) };
};
