// The rules of the owner of a site for crawlers (RFC 9309).
import robotsParser from 'robots-parser';
import type { SourceTools } from '../port.ts';

/** Its types declare a default export; the module is the function itself. */
const parseRobots = robotsParser as unknown as typeof robotsParser.default;

const AGENT = 'Memoir';
const MOST_BYTES = 500 * 1024;
const LASTS_MS = 24 * 60 * 60_000;
const LONGEST_DELAY_S = 30;
/** Refused or missing: everything is allowed. Where the server fails, nothing is, so that is an error. */
const NO_RULES = [400, 401, 402, 403, 404, 405, 406, 410, 451];

export interface SiteRules {
  allows(address: string): boolean;
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

export type AskRules = (signal: AbortSignal) => Promise<SiteRules>;

const readRules = async ({ ask }: SourceTools, start: URL, signal: AbortSignal): Promise<SiteRules> => {
  const address = new URL('/robots.txt', start).href;
  const answer = await ask(address, { accept: NO_RULES, template: '/robots.txt' }, signal);
  const pieces: Buffer[] = [];
  let bytes = 0;
  if (answer.status >= 400) answer.discard();
  else
    for await (const piece of answer.stream()) {
      pieces.push(piece.subarray(0, MOST_BYTES - bytes));
      bytes += piece.length;
      if (bytes >= MOST_BYTES) break;
    }
  const rules = parseRobots(address, Buffer.concat(pieces).toString('utf8'));
  const delay = rules.getCrawlDelay(AGENT) ?? 0;
  return {
    allows: (page) => rules.isAllowed(page, AGENT) !== false,
    delayMs: Math.min(Math.max(0, delay), LONGEST_DELAY_S) * 1000,
    sitemaps: rules.getSitemaps(),
  };
};

/** Asked once a day. Rejects where the server fails, because then nothing may be fetched. */
export const createAskRules = (tools: SourceTools, start: URL): AskRules => {
  let last: { at: number; rules: Promise<SiteRules> } | null = null;
  return async (signal) => {
    if (last === null || tools.now() - last.at > LASTS_MS) {
      const asked = { at: tools.now(), rules: readRules(tools, start, signal) };
      last = asked;
      asked.rules.catch(() => {
        if (last === asked) last = null;
      });
    }
    return last.rules;
  };
};
