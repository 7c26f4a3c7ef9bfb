// Promises about memories.
import type { PromiseRow } from '../promise.ts';

export const memories = [
  {
    id: 'memories:extract:automatic',
    source: 'spec §What the service does',
    says: 'Memories are extracted from content automatically.',
    ways: ['rest'],
  },
  {
    id: 'memories:extract:undated',
    source: 'ours',
    says: 'A text that is sent without a date was said when it arrived: its "yesterday", "last week" and "until Friday" count from then. A file or a page without a date keeps such words as they are.',
    ways: ['rest'],
  },
  {
    id: 'memories:parts:apart',
    source: 'ours',
    says: 'A statement of several facts is remembered in sentences of their own where each holds alone ("I am vegetarian but the rest of the family eats meat"), so that a change of one leaves the others. One of several names that is gone leaves the statement of them all.',
    ways: ['rest'],
  },
  {
    id: 'memories:pronouns:one-person',
    source: 'ours',
    says: 'In a conversation, "he" and "she" are remembered as the one person whom the messages just before name. Where two could be meant, nobody is named.',
    ways: ['rest'],
  },
  {
    id: 'memories:denials:earlier',
    source: 'ours',
    says: 'A denial with its value ("it is not dairy after all, it is egg") corrects the memory of an earlier conversation that says what it denies. Where several memories say it, it corrects those of the person whom it names, and else none.',
    ways: ['rest'],
  },
  {
    id: 'memories:forgotten:excluded',
    source: 'spec §Memory',
    says: 'A forgotten or expired memory is left out of search unless it is requested.',
    ways: ['rest'],
  },
  {
    id: 'memories:forgotten:passages',
    source: 'ours',
    says: 'Searches over memories and passages leave a passage out when every memory drawn from it is forgotten or expired (one that was only replaced does not count), and cut sentences out of the others that state forgotten or expired memories, also where they state something else too. A passage is not found by words that are cut out of it. searchMode "documents" and the document search show it whole, and include.forgottenMemories shows all.',
    ways: ['rest'],
  },
  {
    id: 'memories:forgotten:titles',
    source: 'ours',
    says: 'The same searches leave forgotten or expired memories out of the titles and summaries that Memoir drew from the text of documents; a title of the sender stays.',
    ways: ['rest'],
  },
  {
    id: 'memories:inferred:ranked-lower',
    source: 'contract §5.5',
    says: 'A memory that is an inference ranks lower until it is approved.',
    ways: ['rest'],
  },
  {
    id: 'memories:inferred:declined',
    source: 'contract §5.7',
    says: 'A declined inference appears in no search.',
    ways: ['rest'],
  },
  {
    id: 'memories:forget-after:expires',
    source: 'spec §Memory',
    says: 'A memory expires at its forgetAfter date.',
    ways: ['rest'],
  },
  {
    id: 'memories:forget-after:day',
    source: 'ours',
    says: 'A forgetAfter that is a date without a time means the end of that day, in UTC: what is true until a day still holds on it.',
    ways: ['rest'],
  },
  {
    id: 'memories:relations:kinds',
    source: 'spec §Memory',
    says: 'Memories are related as update, extend or derive.',
    ways: ['rest'],
  },
  {
    id: 'memories:relations:wire-values',
    source: 'contract 0a',
    says: 'On the wire the relations are updates, extends and derives.',
    ways: ['rest'],
  },
  {
    id: 'memories:sources:several',
    source: 'spec §Memory',
    says: 'A memory can be inferred from several documents.',
    ways: ['rest'],
  },
  {
    id: 'memories:tag:no-cap',
    source: 'spec §Limits',
    says: 'A container tag holds any number of memories.',
    ways: ['rest'],
  },
  {
    id: 'memories:forgetting:soft',
    source: 'contract 0a',
    says: 'Forgetting is soft; deleting is not.',
    ways: ['rest'],
  },
  {
    id: 'memories:unknown-tag:created',
    source: 'contract 0a',
    says: 'Creating a memory under an unknown tag, or changing that tag, creates it.',
    ways: ['rest'],
  },
  {
    id: 'memories:dreaming:instant',
    source: 'contract §5.1',
    says: 'With dreaming "instant" the memories exist when the document is done.',
    ways: ['rest'],
  },
  {
    id: 'memories:dreaming:instant-step',
    source: 'ours',
    says: 'A document sent with dreaming "instant" can be searched while its memories are drawn, and its step is embedding; when none can be drawn it is done with the reason in memoryFailure.',
    ways: ['rest'],
  },
  {
    id: 'memories:dreaming:kept',
    source: 'ours',
    says: "A re-send without dreaming or filterByMetadata keeps the document's values.",
    ways: ['rest'],
  },
  {
    id: 'memories:usage:document',
    source: 'ours',
    says: 'A read of a document shows in usage the tokens that a language model used for it, even when no memory came of them.',
    ways: ['rest'],
  },
  {
    id: 'memories:usage:sums',
    source: 'ours',
    says: 'The same numbers are summed for each container tag (GET /v3/container-tags/{containerTag}), each key that sent the content and all together (GET /v3/auth/keys); a document with several tags counts for each of them.',
    ways: ['rest'],
  },
  {
    id: 'memories:superrag:none',
    source: 'contract §5.1',
    says: 'A document with taskType superrag is chunked and indexed and yields no memories.',
    ways: ['rest'],
  },
] as const satisfies readonly PromiseRow[];
