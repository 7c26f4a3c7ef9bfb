// Several clients that add, extend, replace, annotate, state, move and delete at random until the server is killed.
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';
import { type Ask, CutOff } from './api.ts';
import { tellAndForget } from './forgets.ts';
import { deletePlace, fillPlace, mergePlaces } from './places.ts';
import { addUnreadable, retryAll, retryOne } from './retries.ts';
import {
  type File,
  fresh,
  type Note,
  type Place,
  type Story,
  type Talk,
  talkText,
  turnText,
} from './stories.ts';
import { tellAndDelete, tellHome, tellTaste } from './tellings.ts';
import { uploadFile } from './uploads.ts';
import { accept, addAll, type Deed, deleteStory, live, pause, textOf, type Work } from './work.ts';

export interface Client {
  name: string;
  stories: Story[];
  places: Place[];
  /** Answered calls. */
  answered: number;
  /** Documents that ran again because the client asked for it. */
  retried: number;
  run(ask: Ask, seed: number, heard: (deed: Deed) => void): Promise<void>;
}

const tagOf = (chance: Chance): string => `tag ${chance.below(4)}`;

const addNote = async ({ ask, chance, stories, token }: Work): Promise<void> => {
  const note: Note = { ...fresh(tagOf(chance)), kind: 'note', token: token() };
  stories.push(note);
  const content = textOf(note.token, chance);
  note.id = await accept(ask, 'POST', '/v3/documents', { content, containerTags: note.tags });
};

const addBatch = async ({ ask, chance, stories, token }: Work): Promise<void> => {
  const notes = Array.from({ length: 2 + chance.below(15) }, (): Note => {
    return { ...fresh(tagOf(chance)), kind: 'note', token: token() };
  });
  stories.push(...notes);
  await addAll(ask, notes, (note) => textOf(note.token, chance));
};

const sendTalk = async (ask: Ask, talk: Talk, content: string): Promise<void> => {
  const { customId, tags } = talk;
  talk.unsure = true;
  const id = await accept(ask, 'POST', '/v3/documents', { content, customId, containerTags: tags });
  if (talk.id !== null && talk.id !== id)
    throw new Error(`${customId} became a second document: ${talk.id}, ${id}`);
  talk.id = id;
  talk.unsure = false;
};

/** A client without an answer to a turn sends the whole conversation again, as clients do. */
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
  const { customId, tags } = file;
  const body = {
    content: `File of ${token}.`,
    customId,
    containerTags: tags,
    filepath: `/files/${customId}`,
  };
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

/** Sends the same content again, which must change nothing. */
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
  if (story) await deleteStory(work, story);
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
  uploadFile,
  uploadFile,
  repeat,
  markOne,
  markOne,
  deleteOne,
  deleteSeveral,
  tellHome,
  tellHome,
  tellTaste,
  tellTaste,
  tellAndDelete,
  tellAndDelete,
  tellAndForget,
  tellAndForget,
  fillPlace,
  fillPlace,
  mergePlaces,
  deletePlace,
  addUnreadable,
  retryOne,
  retryAll,
];

const LONGEST_PAUSE_MS = 12;

export const createClient = (name: string): Client => {
  let tokens = 0;
  const token = () => `zq${name}x${tokens++}z`;
  const client: Client = {
    name,
    stories: [],
    places: [],
    answered: 0,
    retried: 0,
    async run(ask, seed, heard) {
      const chance = chanceOf(seed);
      const { stories, places } = client;
      const retried = (count: number) => {
        client.retried += count;
      };
      const work: Work = { ask, chance, token, name, stories, places, heard, retried };
      try {
        for (;;) {
          await chance.pick(DEEDS)?.(work);
          client.answered += 1;
          await pause(chance, LONGEST_PAUSE_MS);
        }
      } catch (error) {
        if (!(error instanceof CutOff)) throw error;
      }
    },
  };
  return client;
};
