// Results of readings that several sources have.
import type { Seen, Taken } from './port.ts';

/** The reason is for people and names the item. */
export const nothingToStore = (code: string, message: string, found: readonly Seen[] = []): Taken => ({
  ...{ content: 'nothing', skip: { code, message } },
  ...(found.length === 0 ? {} : { found }),
});
