// A hint for a model that found nothing under a container tag, perhaps because it meant another.
import type { AgentContext } from '../operation.ts';
import { cutForAgent } from '../shared/short-text.agent.ts';
import { listTags } from './list.ts';

const NAMED_TAGS = 10;
const LONGEST_TAG = 100;

/** Names the other container tags that the caller may use; empty if there are none. */
export const otherTagsNotes = async ({
  ask,
  tag,
  hasOtherTags,
}: Pick<AgentContext, 'ask' | 'tag' | 'hasOtherTags'>): Promise<string[]> => {
  if (!hasOtherTags) return [];
  const tags = (await ask(listTags, {}))
    .map(({ containerTag }) => containerTag)
    .filter((other) => other !== tag);
  if (tags.length === 0) return [];
  const named = tags.slice(0, NAMED_TAGS).map((other) => JSON.stringify(cutForAgent(other, LONGEST_TAG)));
  const rest = tags.length > NAMED_TAGS ? ` and ${tags.length - NAMED_TAGS} more` : '';
  return [`Looked in ${JSON.stringify(tag)}. Other container tags: ${named.join(', ')}${rest}.`];
};
