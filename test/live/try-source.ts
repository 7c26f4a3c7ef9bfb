// Tries a source with a real account: who it is, one look, one item, and what a second look asks.
import type {
  Choice,
  LookPage,
  Seen,
  SourceJson,
  SourceKind,
  SourceValue,
} from '../../server/adapters/connect/port.ts';
import { readLinkedPage } from '../../server/adapters/extract/html/links.ts';
import { createSourceOpener } from '../../server/app/connections/open-source.ts';

export interface Trial {
  readonly provider: string;
  /** As in `metadata` of POST /v3/connections; of a sign-in also `clientId`, `clientSecret` and `refreshToken`. */
  readonly options: Readonly<Record<string, SourceValue>>;
  /** Ids of what is to be read; null: the first that can be chosen, where something must be chosen. */
  readonly choose: readonly string[] | null;
  /** A look ends after so many pages. */
  readonly mostPages: number;
}

/** The addresses of tests that answer in the place of the real service. */
export interface TrialPlace {
  readonly standIns?: Readonly<Record<string, string>>;
  readonly privateHosts?: readonly string[];
}

type Tell = (line: string) => void;

const SIGN_IN_SECRETS = ['clientId', 'clientSecret', 'refreshToken', 'accessToken', 'tenant'];
const RESOURCES = 20;

const silent = () => undefined;
const log = { debug: silent, info: silent, warn: silent, error: silent };

const openerAt = ({ standIns = {}, privateHosts = [] }: TrialPlace) =>
  createSourceOpener({
    userAgent: 'Memoir/live-test',
    ...{ standIns, privateHosts, log, now: Date.now },
    sealKeys: () => {
      throw new Error('A trial stores nothing.');
    },
    readLinks: async (html, url) => readLinkedPage(html, url),
  });

type Opened = Awaited<ReturnType<ReturnType<typeof openerAt>['open']>>;

const divided = (kind: SourceKind, options: Trial['options']) => {
  const isSecret = (name: string): boolean => kind.secrets.includes(name) || SIGN_IN_SECRETS.includes(name);
  const entries = Object.entries(options);
  return {
    metadata: Object.fromEntries(entries.filter(([name]) => !isSecret(name))),
    secrets: Object.fromEntries(
      entries.filter(([name]) => isSecret(name)).map(([name, value]) => [name, String(value)]),
    ),
  };
};

const chosenOf = async (
  { kind, source }: Opened,
  choose: Trial['choose'],
  tell: Tell,
  signal: AbortSignal,
): Promise<Choice> => {
  if (choose !== null) return choose.map((id) => ({ id, name: id, kind: 'chosen' }));
  if (source.browse === undefined) return null;
  const { resources } = await source.browse(null, 1, RESOURCES, signal);
  tell(`can be chosen: ${resources.length} on the first page`);
  const first = resources.find(({ selectable }) => selectable);
  if (kind.choosing !== 'must' || first === undefined) return null;
  tell('chosen: the first of them (--choose ID takes another)');
  return [first];
};

interface Looked {
  readonly items: readonly Seen[];
  readonly cursor: SourceJson;
  readonly end: LookPage['end'] | null;
  readonly pages: number;
}

const look = async (
  { source }: Opened,
  from: { cursor: SourceJson; choice: Choice; mostPages: number },
  signal: AbortSignal,
): Promise<Looked> => {
  const items: Seen[] = [];
  let [cursor, end, pages]: [SourceJson, LookPage['end'] | null, number] = [from.cursor, null, 0];
  for await (const page of source.look(from.cursor, from.choice, signal)) {
    items.push(...page.items);
    cursor = page.cursor;
    pages += 1;
    end = page.end ?? null;
    if (end !== null || pages === from.mostPages) break;
  }
  return { items, cursor, end, pages };
};

const readOne = async ({ source }: Opened, items: readonly Seen[], signal: AbortSignal): Promise<string> => {
  const files = items.filter(({ kind, skip }) => kind === 'file' && skip === undefined);
  const smallest = files.toSorted((a, b) => (a.bytes ?? 0) - (b.bytes ?? 0))[0];
  if (smallest === undefined) return 'read: nothing, because no item can be read';
  const { id, mark, face, how = null } = smallest;
  const taken = await source.read({ id, mark, face, how, takenMark: null }, signal);
  if (taken.content === 'text') return `read: ${taken.text.length} characters as ${taken.mediaType}`;
  if (taken.content !== 'file') return `read: ${taken.content}`;
  let bytes = 0;
  for await (const part of taken.bytes()) bytes += part.length;
  return `read: a file of ${bytes} bytes, ${taken.mediaType ?? 'of unknown type'}`;
};

const countsOf = (items: readonly Seen[]): string => {
  const count = (kind: Seen['kind']): number => items.filter((item) => item.kind === kind).length;
  const skipped = items.filter(({ skip }) => skip !== undefined).length;
  return `${count('file')} files (${skipped} not read), ${count('folder')} folders, ${count('gone')} gone`;
};

/** Tells counts and sizes, and neither names nor secrets. */
export const trySource = async (trial: Trial, tell: Tell, place: TrialPlace = {}): Promise<void> => {
  const opener = openerAt(place);
  const { signal } = new AbortController();
  try {
    const kind = await opener.kind(trial.provider);
    if (kind === null) throw new Error(`There is no source ${trial.provider}.`);
    const grant = divided(kind, trial.options);
    const fault = kind.checkOptions(grant);
    if (fault !== null) throw new Error(fault);
    let { secrets } = grant;
    const opened = await opener.open(
      { id: 'trial', provider: trial.provider, account: null, ...grant },
      {
        load: async () => secrets,
        async store(renewed) {
          secrets = { ...secrets, ...renewed };
          if (renewed.refreshToken !== undefined && renewed.refreshToken !== grant.secrets.refreshToken)
            tell('the refresh token was renewed: sign in again before the next trial');
        },
      },
    );
    const { email } = await opened.source.who(signal);
    tell(`signed in${email === undefined ? '' : ', with an address'}`);
    const choice = await chosenOf(opened, trial.choose, tell, signal);
    const first = await look(opened, { cursor: null, choice, mostPages: trial.mostPages }, signal);
    tell(
      `first look: ${countsOf(first.items)} on ${first.pages} pages, ${opened.counted().requests} requests`,
    );
    tell(await readOne(opened, first.items, signal));
    opened.counted();
    if (first.end === null) return tell('second look: not tried, because the first was cut off (--pages N)');
    const second = await look(opened, { cursor: first.cursor, choice, mostPages: trial.mostPages }, signal);
    tell(`second look: ${countsOf(second.items)}, ${opened.counted().requests} requests, ${second.end}`);
  } finally {
    await opener.close();
  }
};
