// Actions on memories: facts that are stated, stated again, changed, and forgotten while they are being drawn.
import { fresh, type Story, type Telling, tellingText } from './stories.ts';
import { accept, deleteStory, isAcknowledged, pause, type Work } from './work.ts';

/** About the time from the answer to the end of the memory step. */
const DRAWN_MS = 150;

const isTelling = (story: Story): story is Telling => story.kind === 'telling';

/** A stated liking is sometimes stated again: one memory, several documents. */
export const newTelling = (work: Work, tags: readonly string[], says: Telling['says']): Telling => {
  const { chance, stories, token } = work;
  const before =
    says === 'taste' && chance.below(3) === 0 ? chance.pick(stories.filter(isTelling)) : undefined;
  const again = before?.says === 'taste' ? before.fact : undefined;
  return {
    ...fresh(...tags),
    kind: 'telling',
    token: token(),
    fact: again ?? token(),
    says,
    forgotten: 'no',
  };
};

export const tell = async (work: Work, telling: Telling): Promise<void> => {
  work.stories.push(telling);
  const body = { content: tellingText(telling), containerTags: telling.tags };
  telling.id = await accept(work.ask, 'POST', '/v3/documents', body);
  work.heard('telling');
};

/** A person who moves house again and again. */
export const tellHome = (work: Work): Promise<void> =>
  tell(work, newTelling(work, [`home of ${work.name}`], 'home'));

export const tellTaste = (work: Work): Promise<void> =>
  tell(work, newTelling(work, [`tastes of ${work.name}`], 'taste'));

/** Often before its memories are drawn, often after, and often in between. */
export const pauseUntilDrawn = ({ chance }: Work): Promise<void> => pause(chance, DRAWN_MS);

export const tellAndDelete = async (work: Work): Promise<void> => {
  const telling = newTelling(work, [`tastes of ${work.name}`], 'taste');
  await tell(work, telling);
  await pauseUntilDrawn(work);
  if (isAcknowledged(telling)) await deleteStory(work, telling);
};
