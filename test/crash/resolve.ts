// Finds out whether interrupted merges and deletions of tags were done completely or not at all.
import type { Ask } from './api.ts';
import type { Client } from './clients.ts';
import { carryOver, isIn, takeAway } from './places.ts';
import type { Place, Story } from './stories.ts';

export interface Tagged {
  id: string;
  containerTags: string[];
}

export const listTags = async (ask: Ask): Promise<Set<string>> => {
  const { body } = await ask<{ containerTag: string }[]>('GET', '/v3/container-tags/list');
  return new Set(body.map(({ containerTag }) => containerTag));
};

/** The tag exists: its deletion ended between two slices, or never began. */
const leaveHalfDeleted = (
  stories: readonly Story[],
  place: Place,
  stored: ReadonlyMap<string, Tagged>,
): void => {
  for (const story of stories) {
    if (!isIn(story, place) || story.id === null || story.deletion === 'done') continue;
    const tags = stored.get(story.id)?.containerTags;
    if (tags === undefined && story.tags.length === 1) story.deletion = 'asked';
    if (tags?.includes(place.tag) === false) story.tags = story.tags.filter((tag) => tag !== place.tag);
  }
};

/** Called when no merge is running any more. */
export const resolvePlaces = (
  { places, stories }: Pick<Client, 'places' | 'stories'>,
  tags: ReadonlySet<string>,
  stored: ReadonlyMap<string, Tagged>,
): void => {
  for (const place of places) {
    place.merging = null;
    const { asked } = place;
    if (asked === null) continue;
    place.asked = null;
    if (tags.has(place.tag)) {
      if (asked.to === 'delete') leaveHalfDeleted(stories, place, stored);
      continue;
    }
    place.gone = true;
    if (asked.to === 'delete') takeAway(stories, place);
    else carryOver(stories, place, asked.into);
  }
};

/** A merged or deleted tag does not exist any more, and every tag with a document exists. */
export const checkTags = (clients: readonly Client[], tags: ReadonlySet<string>): void => {
  for (const { places, stories } of clients) {
    const back = places.find((place) => place.gone && tags.has(place.tag));
    if (back) throw new Error(`The tag ${back.tag} is there although it was merged away or deleted`);
    const needed = stories.filter(({ deletion }) => deletion === 'no').flatMap((story) => story.tags);
    const missing = needed.find((tag) => !tags.has(tag));
    if (missing !== undefined) throw new Error(`The tag ${missing} is gone, and documents carry it`);
  }
};
