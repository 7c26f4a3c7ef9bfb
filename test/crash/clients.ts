// Several clients that add, grow, replace, mark and delete at random until the server dies under them.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';
import { type Ask, CutOff } from './api.ts';
import { type File, fresh, isLive, type Note, type Story, type Talk, talkText, turnText } from './stories.ts';

export interface Client {
  stories: Story[];
  /** Calls that were answered. */
  answered: number;
  run(ask: Ask, seed: number): Promise<void>;
}

/** A word that stands nowhere else: letters first, so that it is one word for every reader. */
type NewToken = () => string;

const FILLER = 'the quick brown fox jumps over the lazy dog while rain falls on the old harbour town';

const plainText = (token: string, chance: Chance): string =>
  Array.from({ length: 1 + chance.below(4) }, (_, at) =>
    at === 0 ? `About ${token}: ${FILLER}.` : `${FILLER} `.repeat(1 + chance.below(12)),
  ).join('\n\n');

const page = (token: string): string =>
  `<!doctype html><html><head><title>Page</title></head><body><nav><a href="/">Home</a></nav>
   <article><h1>A page</h1><p>This page speaks of ${token}. ${`${FILLER}. `.repeat(6)}</p></article></body></html>`;

const textOf = (token: string, chance: Chance): string =>
  chance.below(12) === 0 ? page(token) : plainText(token, chance);

interface Work {
  ask: Ask;
  chance: Chance;
  stories: Story[];
  token: NewToken;
  name: string;
}

const accept = async (ask: Ask, method: string, path: string, body: unknown): Promise<string> => {
  const answer = await ask<{ id: string }>(method, path, body);
  if (answer.status !== 200)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body.id;
};

const tagOf = (chance: Chance): string => `tag ${chance.below(4)}`;

const addNote = async ({ ask, chance, stories, token }: Work): Promise<void> => {
  const note: Note = { ...fresh(tagOf(chance)), kind: 'note', token: token() };
  stories.push(note);
  const content = textOf(note.token, chance);
  note.id = await accept(ask, 'POST', '/v3/documents', { content, containerTag: note.tag });
};

const addBatch = async ({ ask, chance, stories, token }: Work): Promise<void> => {
  const notes = Array.from({ length: 2 + chance.below(15) }, (): Note => {
    return { ...fresh(tagOf(chance)), kind: 'note', token: token() };
  });
  stories.push(...notes);
  const documents = notes.map((note) => ({ content: textOf(note.token, chance), containerTag: note.tag }));
  const answer = await ask<{ results: { id: string }[] }>('POST', '/v3/documents/batch', { documents });
  for (const [at, note] of notes.entries()) note.id = answer.body.results[at]?.id || null;
};

const sendTalk = async (ask: Ask, talk: Talk, content: string): Promise<void> => {
  const { customId, tag } = talk;
  talk.unsure = true;
  const id = await accept(ask, 'POST', '/v3/documents', { content, customId, containerTag: tag });
  if (talk.id !== null && talk.id !== id)
    throw new Error(`${customId} became a second document: ${talk.id}, ${id}`);
  talk.id = id;
  talk.unsure = false;
};

const live = <K extends Story['kind']>(
  { stories, chance }: Work,
  kind: K,
): Extract<Story, { kind: K }> | undefined =>
  chance.pick(stories.filter((story) => story.kind === kind && isLive(story) && story.deletion === 'no')) as
    | Extract<Story, { kind: K }>
    | undefined;

/** A client that never heard whether a turn arrived sends the whole talk again, as clients do. */
const growTalk = async (work: Work): Promise<void> => {
  const { ask, chance, stories, token, name } = work;
  let talk = chance.below(6) > 0 ? live(work, 'talk') : undefined;
  if (talk === undefined) {
    const customId = `talk-${name}-${token()}`;
    talk = { ...fresh(tagOf(chance)), kind: 'talk', customId, turns: [], unsure: false };
    stories.push(talk);
  }
  const whole = talk.unsure || talk.turns.length === 0 || chance.below(3) === 0;
  const turn = token();
  talk.turns.push(turn);
  await sendTalk(ask, talk, whole ? talkText(talk) : turnText(turn));
};

const sendFile = async (ask: Ask, file: File, token: string): Promise<void> => {
  file.unsure = token;
  const { customId, tag } = file;
  const body = { content: `File of ${token}.`, customId, containerTag: tag, filepath: `/files/${customId}` };
  file.id = await accept(ask, 'POST', '/v3/documents', body);
  file.token = token;
  file.unsure = null;
};

const writeFile = async (work: Work): Promise<void> => {
  const { ask, chance, stories, token, name } = work;
  let file = chance.below(4) > 0 ? live(work, 'file') : undefined;
  if (file === undefined) {
    const first = token();
    file = {
      ...fresh(tagOf(chance)),
      kind: 'file',
      customId: `file-${name}-${first}`,
      token: first,
      unsure: null,
    };
    stories.push(file);
  }
  await sendFile(ask, file, file.id === null ? file.token : token());
};

/** The same again: nothing may come of it. */
const repeat = async (work: Work): Promise<void> => {
  const talk = live(work, 'talk');
  if (talk && talk.id !== null && talk.turns.length > 0) await sendTalk(work.ask, talk, talkText(talk));
};

const known = ({ stories, chance }: Work): (Story & { id: string }) | undefined =>
  chance.pick(stories.filter((story) => story.id !== null && story.deletion === 'no')) as
    | (Story & { id: string })
    | undefined;

const markOne = async (work: Work): Promise<void> => {
  const story = known(work);
  if (!story) return;
  story.asked = work.chance.below(1_000_000);
  const metadata = { mark: story.asked };
  await accept(work.ask, 'PATCH', `/v3/documents/${encodeURIComponent(story.id)}`, { metadata });
  story.mark = story.asked;
};

const deleteOne = async (work: Work): Promise<void> => {
  const story = known(work);
  if (!story) return;
  story.deletion = 'asked';
  const { status } = await work.ask('DELETE', `/v3/documents/${encodeURIComponent(story.id)}`);
  if (status !== 204) throw new Error(`DELETE of ${story.id} answered ${status}`);
  story.deletion = 'done';
};

const deleteSeveral = async (work: Work): Promise<void> => {
  const chosen = [...new Set([known(work), known(work), known(work)])].filter((story) => story !== undefined);
  if (chosen.length === 0) return;
  for (const story of chosen) story.deletion = 'asked';
  const ids = chosen.map((story) => story.id);
  const { body } = await work.ask<{ deletedCount: number }>('DELETE', '/v3/documents/bulk', { ids });
  if (body.deletedCount !== ids.length)
    throw new Error(`A bulk delete removed ${body.deletedCount} of ${ids.length}`);
  for (const story of chosen) story.deletion = 'done';
};

const DEEDS: readonly ((work: Work) => Promise<void>)[] = [
  ...Array<typeof addNote>(6).fill(addNote),
  addBatch,
  ...Array<typeof growTalk>(6).fill(growTalk),
  writeFile,
  writeFile,
  repeat,
  markOne,
  markOne,
  deleteOne,
  deleteSeveral,
];

const LONGEST_PAUSE_MS = 12;

export const createClient = (name: string): Client => {
  let tokens = 0;
  const token: NewToken = () => `zq${name}x${tokens++}z`;
  const client: Client = {
    stories: [],
    answered: 0,
    async run(ask, seed) {
      const chance = chanceOf(seed);
      const work: Work = { ask, chance, token, name, stories: client.stories };
      try {
        for (;;) {
          await chance.pick(DEEDS)?.(work);
          client.answered += 1;
          await sleep(chance.below(LONGEST_PAUSE_MS));
        }
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
      }
    },
  };
  return client;
};
