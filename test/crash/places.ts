// Actions on container tags: tags that are filled, merged into one another, and deleted with everything in them.
import type { Ask } from './api.ts';
import { fresh, type Note, type Place, type Story, tellingText } from './stories.ts';
import { newTelling } from './tellings.ts';
import { addAll, textOf, type Work } from './work.ts';

/** A merge moves fifty documents in one transaction: sometimes a tag is filled for several. */
const MANY = 70;
const FEW = 8;

const pathOf = (tag: string): string => `/v3/container-tags/${encodeURIComponent(tag)}`;

export const isIn = (story: Story, place: Place): boolean => story.tags.includes(place.tag);

/** True if the tag certainly exists: a write under it was acknowledged. */
const isKnown = (place: Place, stories: readonly Story[]): boolean =>
  stories.some((story) => story.id !== null && isIn(story, place));

const isFree = (place: Place): boolean => !place.gone && place.asked === null && place.merging === null;

const isMerged = async (ask: Ask, id: string): Promise<boolean> => {
  const { status, body } = await ask('GET', `/v3/container-tags/merge/${id}`);
  if (status !== 200) throw new Error(`The state of merge ${id} answered ${status}`);
  return body.status === 'completed';
};

/** Tags can be used again when their merge has ended. */
const freePlaces = async ({ ask, places, stories }: Work): Promise<Place[]> => {
  for (const place of places)
    if (place.merging !== null && !place.gone && (await isMerged(ask, place.merging))) place.merging = null;
  return places.filter((place) => isFree(place) && isKnown(place, stories));
};

const openPlace = ({ chance, places, name }: Work): Place => {
  const open = places.filter(({ gone, asked }) => !gone && asked === null);
  const chosen = chance.below(2 + open.length) < 2 ? undefined : chance.pick(open);
  if (chosen !== undefined) return chosen;
  const place: Place = { tag: `place ${places.length} of ${name}`, asked: null, merging: null, gone: false };
  places.push(place);
  return place;
};

/** Every fourth document has another tag as well, which stays. */
const tagsIn = ({ chance, name }: Work, place: Place): string[] =>
  chance.below(4) === 0 ? [place.tag, `shelf of ${name}`] : [place.tag];

export const fillPlace = async (work: Work): Promise<void> => {
  const { ask, chance, stories, token } = work;
  const place = openPlace(work);
  const count = 1 + chance.below(chance.below(4) === 0 ? MANY : FEW);
  const added = Array.from({ length: count }, (): Story => {
    const tags = tagsIn(work, place);
    if (chance.below(2) === 0) return newTelling(work, tags, 'taste');
    return { ...fresh(...tags), kind: 'note', token: token() } satisfies Note;
  });
  stories.push(...added);
  await addAll(ask, added, (story) =>
    story.kind === 'telling' ? tellingText(story) : textOf((story as Note).token, chance),
  );
};

/** The tag of a document after its tag was merged into another. */
export const carryOver = (stories: readonly Story[], from: Place, into: Place): void => {
  for (const story of stories)
    if (isIn(story, from))
      story.tags = [...new Set(story.tags.map((tag) => (tag === from.tag ? into.tag : tag)))];
};

/** The tag of a document after its tag was deleted: a document without another tag was deleted with it. */
export const takeAway = (stories: readonly Story[], { tag }: Place): void => {
  for (const story of stories) {
    if (!story.tags.includes(tag)) continue;
    if (story.tags.length === 1) story.deletion = 'done';
    else story.tags = story.tags.filter((each) => each !== tag);
  }
};

export const mergePlaces = async (work: Work): Promise<void> => {
  const { ask, chance, stories } = work;
  const free = await freePlaces(work);
  const from = chance.pick(free);
  const into = chance.pick(free.filter((place) => place !== from));
  if (from === undefined || into === undefined) return;
  from.asked = { to: 'merge', into };
  const body = { containerTags: [from.tag, into.tag], targetContainerTag: into.tag };
  const answer = await ask<{ mergeId: string }>('POST', '/v3/container-tags/merge', body);
  if (answer.status !== 202)
    throw new Error(`A merge of ${from.tag} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  from.asked = null;
  from.gone = true;
  into.merging = answer.body.mergeId;
  carryOver(stories, from, into);
  work.heard('merge');
};

export const deletePlace = async (work: Work): Promise<void> => {
  const place = work.chance.pick(await freePlaces(work));
  if (place === undefined) return;
  place.asked = { to: 'delete' };
  const { status, body } = await work.ask('DELETE', pathOf(place.tag));
  if (status !== 200)
    throw new Error(`DELETE of the tag ${place.tag} answered ${status}: ${JSON.stringify(body)}`);
  place.asked = null;
  place.gone = true;
  takeAway(work.stories, place);
  work.heard('deletion of a tag');
};
