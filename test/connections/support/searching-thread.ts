// Searches on a thread of their own, so that the fakes of the sources delay no measured search on the client's side.
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../../server/lib/threads/rpc.ts';
import { questionAbout, randomFrom } from '../../bench/support/texts.ts';
import { apiAt } from '../../crash/api.ts';
import { timePasses } from '../../support/until.ts';

const SEARCHES_A_SECOND = 8;

export interface SearchedNotes {
  url: string;
  key: string;
  tag: string;
  /** The first of the texts, their number and their length. */
  first: number;
  texts: number;
  characters: number;
}

export type SearchingCommands = {
  /** Returns at once. */
  begin(notes: SearchedNotes): Promise<void>;
  /** The milliseconds of each search since it was begun, sorted. */
  end(): Promise<number[]>;
};

/** A search at each tick, answered or not; each is timed from its tick. */
const searchUntil = async (notes: SearchedNotes, over: () => boolean): Promise<number[]> => {
  const ask = apiAt(notes.url, notes.key);
  const random = randomFrom(5);
  const times: number[] = [];
  const under: Promise<void>[] = [];
  const start = performance.now();
  for (let tick = 0; !over(); tick += 1) {
    const at = start + (tick * 1000) / SEARCHES_A_SECOND;
    await timePasses(Math.max(0, at - performance.now()), 'searches come at their time');
    const q = questionAbout(notes.first + Math.floor(random() * notes.texts), notes.characters, random);
    const work = ask('POST', '/v3/search', { q, containerTags: [notes.tag] });
    under.push(work.then(() => void times.push(performance.now() - at)));
  }
  await Promise.all(under);
  return times.sort((one, other) => one - other);
};

if (!parentPort) throw new Error('searching-thread.ts must be started as a worker thread.');

let searches: Promise<number[]> = Promise.resolve([]);
let over = false;

serveCalls<SearchingCommands>(parentPort, {
  async begin(notes) {
    over = false;
    searches = searchUntil(notes, () => over);
    searches.catch(() => undefined);
  },
  async end() {
    over = true;
    return searches;
  },
});
