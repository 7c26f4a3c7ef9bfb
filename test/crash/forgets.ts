// Statements that are taken back: their memory is forgotten, and their document stays.
import { isLive, type Story, type Telling, wordsIn } from './stories.ts';
import { newTelling, pauseUntilDrawn, tell } from './tellings.ts';
import type { Work } from './work.ts';

interface Listed {
  id: string;
  memory: string;
  isForgotten: boolean;
}

/** So many of a client that the list of its tag stays one page. */
const MOST_SLIPS = 40;

const slipTag = ({ name }: Work): string => `slips of ${name}`;

const isSlip = (story: Story): story is Telling => story.kind === 'telling' && story.says === 'slip';

const forgetOne = async (work: Work, slips: readonly Telling[]): Promise<void> => {
  const { ask, chance } = work;
  const slip = chance.pick(
    slips.filter(({ forgotten, deletion }) => forgotten === 'no' && deletion === 'no'),
  );
  if (slip === undefined) return;
  const containerTag = slipTag(work);
  const query = { containerTags: [containerTag], limit: 1000 };
  const { body } = await ask<{ memoryEntries: Listed[] }>('POST', '/v4/memories/list', query);
  const drawn = body.memoryEntries.find(({ memory }) => wordsIn(memory).includes(slip.fact));
  if (drawn === undefined) return;
  slip.forgotten = 'asked';
  const { status } = await ask('DELETE', '/v4/memories', { containerTag, id: drawn.id });
  if (status !== 200) throw new Error(`Forgetting ${slip.fact} answered ${status}`);
  slip.forgotten = 'done';
  work.heard('forgetting');
};

export const tellAndForget = async (work: Work): Promise<void> => {
  const known = work.stories.filter(isSlip);
  if (known.filter(isLive).length < MOST_SLIPS) await tell(work, newTelling(work, [slipTag(work)], 'slip'));
  await pauseUntilDrawn(work);
  await forgetOne(work, work.stories.filter(isSlip));
};
