// Opens a source over its fake, with a clock that waits in no time, and follows its looks as the engine does.

import { createAsk } from '../../../server/adapters/connect/ask.ts';
import { createAccountPace } from '../../../server/adapters/connect/asking/account-pace.ts';
import type {
  OpenSource,
  PageLinks,
  ReadItem,
  Seen,
  SourceJson,
  SourceKind,
  Taken,
} from '../../../server/adapters/connect/port.ts';
import { SourceError } from '../../../server/adapters/connect/source-error.ts';
import { createSafeFetch } from '../../../server/adapters/fetch/safe/safe-fetch.ts';
import { createClock } from '../../support/clock.ts';
import type { SourceFake } from './source-fake.ts';

export interface OpenedFake extends AsyncDisposable {
  readonly source: OpenSource;
  readonly now: () => number;
  pass(ms: number): void;
  /** The waits of the pace and of repetitions, in milliseconds. */
  readonly waits: readonly number[];
  /** Everything that was logged, as JSON. */
  readonly logged: readonly string[];
}

export interface OpenOptions {
  /** For sources that collect links. */
  readonly readLinks?: (html: string, url: string) => Promise<PageLinks>;
  /** Of the clock; default: now. */
  readonly start?: number;
}

const NO_LINKS: PageLinks = {
  links: [],
  canonical: null,
  title: null,
  textMark: '',
  noIndex: false,
  noFollow: false,
};

/** What opening needs of a fake. */
type ReachedFake = Pick<SourceFake, 'grant' | 'privateHosts' | 'standIns' | 'tokens'>;

export const openFake = (kind: SourceKind, fake: ReachedFake, options: OpenOptions = {}): OpenedFake => {
  const clock = createClock(options.start ?? Date.now());
  const [waits, logged]: [number[], string[]] = [[], []];
  const pause = async (ms: number): Promise<void> => {
    waits.push(ms);
    clock.pass(ms);
  };
  const write = (fields: object, sentence: string) => void logged.push(JSON.stringify({ fields, sentence }));
  const fetch = createSafeFetch({
    userAgent: 'Memoir/test',
    privateHosts: fake.privateHosts ?? [],
    seams: { standIns: fake.standIns ?? {} },
  });
  const pace = { perSecond: 1000, parallel: kind.pace.parallel, random: () => 0.5 };
  const ask = createAsk({
    ...{ kind, fetch, pause, now: clock.now },
    credentials: kind.credentials(fake.grant),
    ...(fake.tokens === undefined ? {} : { tokens: fake.tokens }),
    pace: createAccountPace({ ...pace, pause, now: clock.now }),
    log: { debug: write, info: write, warn: write, error: write },
  });
  const { readLinks = async () => NO_LINKS } = options;
  return {
    source: kind.open(fake.grant, { ask, readLinks, now: clock.now }),
    ...{ now: clock.now, pass: clock.pass, waits, logged },
    [Symbol.asyncDispose]: () => fetch.close(),
  };
};

/** What a connection knows of its source, as the ledger of the engine does. */
export interface FollowedSource {
  readonly items: Map<string, Seen>;
  cursor: SourceJson;
  /** The ids that the look under way has shown. */
  shown: Set<string>;
}

export const follow = (): FollowedSource => ({ items: new Map(), cursor: null, shown: new Set() });

const NEVER = new AbortController().signal;
/** A look that does not end is a fault of the source. */
const MOST_PAGES = 500;

const notePage = (known: FollowedSource, items: readonly Seen[]): void => {
  for (const item of items) {
    if (item.kind === 'gone') known.items.delete(item.id);
    else known.items.set(item.id, item);
    known.shown.add(item.id);
  }
};

export interface LookSummary {
  readonly pages: number;
  readonly ended: 'delta' | 'whole' | null;
}

/** One look, or its first pages. */
export const lookOnce = async (
  { source }: OpenedFake,
  known: FollowedSource,
  { choice, pages: most = MOST_PAGES }: { choice?: SourceFake['choice']; pages?: number } = {},
): Promise<LookSummary> => {
  let pages = 0;
  try {
    for await (const page of source.look(known.cursor, choice ?? null, NEVER)) {
      if (page.restart === true) known.shown = new Set();
      notePage(known, page.items);
      // The cursor must survive in another process.
      known.cursor = JSON.parse(JSON.stringify(page.cursor));
      pages += 1;
      const covered = page.end === 'whole' ? [''] : (page.covered ?? []);
      for (const id of [...known.items.keys()])
        if (!known.shown.has(id) && covered.some((beginning) => id.startsWith(beginning)))
          known.items.delete(id);
      if (page.end !== undefined) {
        known.shown = new Set();
        return { pages, ended: page.end };
      }
      if (pages >= most) return { pages, ended: null };
    }
  } catch (error) {
    if (!(error instanceof SourceError) || error.code !== 'cursor_refused' || known.cursor === null)
      throw error;
    known.cursor = null;
    known.shown = new Set();
    return lookOnce({ source } as OpenedFake, known, { ...(choice === undefined ? {} : { choice }) });
  }
  throw new Error('The look ended without a page that says so.');
};

export const filesOf = (known: FollowedSource): Seen[] =>
  [...known.items.values()].filter(({ kind, skip }) => kind === 'file' && skip === undefined);

export const readItem = (item: Seen, takenMark: string | null = null): ReadItem => ({
  ...{ id: item.id, mark: item.mark, face: item.face, takenMark },
  how: item.how ?? null,
});

export const readFrom = (
  { source }: OpenedFake,
  item: Seen,
  takenMark: string | null = null,
): Promise<Taken> => source.read(readItem(item, takenMark), NEVER);

/** The content as text, whichever form it has. */
export const textOf = async (taken: Taken): Promise<string> => {
  if (taken.content === 'text') return taken.text;
  if (taken.content !== 'file') return `(${taken.content})`;
  const pieces: Buffer[] = [];
  for await (const piece of taken.bytes()) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
};
