// What many users do at the same time, at a steady rate and over a bounded number of documents.
import { setTimeout as sleep } from 'node:timers/promises';
import { randomFrom, textOf } from '../bench/support/texts.ts';

export interface Counts {
  calls: number;
  failed: number;
  documents: number;
}

export interface MixedLoad {
  run(ms: number): Promise<void>;
  counts(): Counts;
}

const TAGS = 20;
const IDS = 600;
const CHARACTERS = 1500;
const LONGEST_CALL_MS = 30_000;
/** A document that another call deleted at the same time is missing, which is no failure. */
const NO_FAILURE = new Set([404, 409]);

const names = ['Ida', 'Otto', 'Wanda', 'Bruno', 'Mara', 'Egon'];
const towns = ['Graz', 'Lyon', 'Bergen', 'Porto', 'Ghent', 'Turku'];

interface Kind {
  readonly share: number;
  readonly send: () => Promise<Response>;
}

export const createMixedLoad = ({ url, key }: { url: string; key: string }, perSecond: number): MixedLoad => {
  const random = randomFrom(20);
  const under = (count: number): number => Math.floor(random() * count);
  const tag = (): string => `tag-${under(TAGS)}`;
  const signal = () => AbortSignal.timeout(LONGEST_CALL_MS);
  const headers = { authorization: `Bearer ${key}` };
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal(),
    });
  const held = new Set<string>();
  const text = (): string => textOf(under(1_000_000), CHARACTERS);
  const add = (content: string): Promise<Response> => {
    // One customId belongs to one tag, so that a re-send changes its document.
    const at = under(IDS);
    held.add(`soak-${at}`);
    return call('POST', '/v3/documents', {
      content,
      customId: `soak-${at}`,
      containerTag: `tag-${at % TAGS}`,
    });
  };
  const name = () => names[under(names.length)];
  const chat = () =>
    `user: ${name()} moved to ${towns[under(towns.length)]} in May.\nassistant: Noted.\nuser: And I have ${under(9) + 2} cats now. ${text().slice(0, 300)}`;
  const upload = (): Promise<Response> => {
    const form = new FormData();
    const page = `<html><body><h1>${name()}</h1><p>${text()}</p><p>${text()}</p></body></html>`;
    form.set('file', new Blob([page], { type: 'text/html' }), 'page.html');
    form.set('containerTag', tag());
    form.set('customId', `soak-page-${under(50)}`);
    return fetch(`${url}/v3/documents/file`, { method: 'POST', headers, body: form, signal: signal() });
  };
  const remove = (): Promise<Response> => {
    const [first = 'soak-0'] = held;
    held.delete(first);
    return call('DELETE', `/v3/documents/${first}`);
  };
  const search = (searchMode: string) => () =>
    call('POST', '/v4/search', { q: `${name()} ${text().slice(0, 40)}`, containerTag: tag(), searchMode });

  const kinds: readonly Kind[] = [
    { share: 5, send: () => add(text()) },
    { share: 5, send: () => add(chat()) },
    { share: 1, send: upload },
    { share: 6, send: search('hybrid') },
    { share: 6, send: search('memories') },
    { share: 4, send: () => call('POST', '/v3/search', { q: text().slice(0, 40), containerTags: [tag()] }) },
    { share: 1, send: () => call('POST', '/v3/search', { q: text().slice(0, 40) }) },
    { share: 4, send: () => call('POST', '/v4/profile', { containerTag: tag() }) },
    { share: 2, send: () => call('POST', '/v3/documents/list', { containerTags: [tag()], limit: 20 }) },
    {
      share: 1,
      send: () =>
        call('POST', '/v4/memories', {
          containerTag: tag(),
          memories: [{ content: `${name()} likes ${text().slice(0, 30)}`, isStatic: random() < 0.5 }],
        }),
    },
    {
      share: 1,
      send: () =>
        call('POST', '/v4/memories/forget-matching', { containerTag: tag(), query: `the cats of ${name()}` }),
    },
    { share: 3, send: remove },
  ];
  const drawn = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  const counts: Counts = { calls: 0, failed: 0, documents: 0 };

  const sendOne = async (): Promise<void> => {
    counts.calls += 1;
    try {
      const kind = drawn[under(drawn.length)];
      const answer = await kind?.send();
      const body = await answer?.text();
      if (answer && !answer.ok && !NO_FAILURE.has(answer.status)) {
        counts.failed += 1;
        console.log(`${answer.url} answered ${answer.status}: ${body?.slice(0, 200)}`);
      }
    } catch (error) {
      counts.failed += 1;
      console.log(String(error));
    }
  };

  return {
    async run(ms) {
      const open = new Set<Promise<void>>();
      const start = performance.now();
      for (let sent = 0; performance.now() - start < ms; sent++) {
        await sleep(Math.max(0, start + (sent * 1000) / perSecond - performance.now()));
        const work = sendOne().finally(() => open.delete(work));
        open.add(work);
      }
      await Promise.all(open);
      counts.documents = held.size;
    },
    counts: () => ({ ...counts }),
  };
};
