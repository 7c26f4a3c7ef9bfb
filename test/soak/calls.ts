// The calls of many users, drawn at random over a bounded number of tags and documents.
import { randomFrom, textOf } from '../bench/support/texts.ts';

export interface Calls {
  /** Sends a call of a kind that is drawn. */
  send(): Promise<Response>;
  /** The number of documents that are stored, uploads apart. */
  documents(): number;
}

const TAGS = 20;
/** Reached within the first minutes, so that the data stays as large as it is. */
const IDS = 300;
const PAGES = 20;
const CHARACTERS = 1500;
const LONGEST_CALL_MS = 30_000;

const NAMES = ['Ida', 'Otto', 'Wanda', 'Bruno', 'Mara', 'Egon'];
const TOWNS = ['Graz', 'Lyon', 'Bergen', 'Porto', 'Ghent', 'Turku'];

const createChoice = (seed: number) => {
  const random = randomFrom(seed);
  const under = (count: number): number => Math.floor(random() * count);
  const one = (list: readonly string[]): string => list[under(list.length)] ?? '';
  return {
    under,
    name: () => one(NAMES),
    town: () => one(TOWNS),
    tag: () => `tag-${under(TAGS)}`,
    text: () => textOf(under(1_000_000), CHARACTERS),
    words: () => textOf(under(1_000_000), CHARACTERS).slice(0, 40),
  };
};

type Choice = ReturnType<typeof createChoice>;
type Post = (path: string, body: object) => Promise<Response>;

const chatOf = ({ name, town, under, words }: Choice): string =>
  `user: ${name()} moved to ${town()} in May.\nassistant: Noted.\nuser: And I have ${under(9) + 2} cats now. ${words()}.`;

const pageOf = ({ name, text }: Choice): Blob =>
  new Blob([`<html><body><h1>${name()}</h1><p>${text()}</p><p>${text()}</p></body></html>`], {
    type: 'text/html',
  });

/** Each function as often as its number says. */
type Kinds = readonly (readonly [share: number, send: () => Promise<Response>])[];

const reads = (choice: Choice, post: Post): Kinds => {
  const { name, tag, words } = choice;
  const search = (searchMode: string) => () =>
    post('/v4/search', { q: `${name()} ${words()}`, containerTag: tag(), searchMode });
  return [
    [6, search('hybrid')],
    [6, search('memories')],
    [4, () => post('/v3/search', { q: words(), containerTags: [tag()] })],
    [1, () => post('/v3/search', { q: words() })],
    [4, () => post('/v4/profile', { containerTag: tag() })],
    [2, () => post('/v3/documents/list', { containerTags: [tag()], limit: 20 })],
  ];
};

const memoryWrites = ({ name, tag, words, under }: Choice, post: Post): Kinds => [
  [
    1,
    () =>
      post('/v4/memories', {
        containerTag: tag(),
        memories: [{ content: `${name()} likes ${words()}`, isStatic: under(2) === 0 }],
      }),
  ],
  [1, () => post('/v4/memories/forget-matching', { containerTag: tag(), query: `the cats of ${name()}` })],
];

export const createCalls = ({ url, key }: { url: string; key: string }, seed: number): Calls => {
  const choice = createChoice(seed);
  const { under, text } = choice;
  const held = new Set<string>();
  const call = (method: string, path: string, body: string | FormData | null, type?: string) =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(type === undefined ? {} : { 'content-type': type }) },
      body,
      signal: AbortSignal.timeout(LONGEST_CALL_MS),
    });
  const post: Post = (path, body) => call('POST', path, JSON.stringify(body), 'application/json');
  const add = (content: string): Promise<Response> => {
    // One customId belongs to one tag, so that a re-send changes its document.
    const at = under(IDS);
    held.add(`soak-${at}`);
    return post('/v3/documents', { content, customId: `soak-${at}`, containerTag: `tag-${at % TAGS}` });
  };
  const upload = (): Promise<Response> => {
    const at = under(PAGES);
    const form = new FormData();
    form.set('file', pageOf(choice), 'page.html');
    form.set('containerTag', `tag-${at % TAGS}`);
    form.set('customId', `soak-page-${at}`);
    return call('POST', '/v3/documents/file', form);
  };
  const remove = (): Promise<Response> => {
    const [first = 'soak-0'] = held;
    held.delete(first);
    return call('DELETE', `/v3/documents/${first}`, null);
  };
  const kinds: Kinds = [
    [5, () => add(text())],
    [5, () => add(chatOf(choice))],
    [1, upload],
    [3, remove],
    ...reads(choice, post),
    ...memoryWrites(choice, post),
  ];
  const drawn = kinds.flatMap(([share, send]) => Array.from({ length: share }, () => send));
  return {
    send: () => (drawn[under(drawn.length)] ?? upload)(),
    documents: () => held.size,
  };
};
