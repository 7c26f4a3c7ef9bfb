// Tells what callers were given to read: an agent may say it again in a conversation, and then nothing new was said.
// Searches and profiles are what agents put into their prompts; lists and single documents are looked at by people
// and by programs that wait, and what those saw is not told.
import type { ProfileOutput } from '../../../tools/shared/profile.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/shared/search-outputs.ts';
import { cutText } from '../../lib/text/cut.ts';
import type { Caller } from '../access/caller.ts';
import type { Profile } from '../profile/profile.ts';
import type { Search } from '../search/search.ts';

export interface ServingDeps {
  /** Must neither wait nor throw. */
  tell(tags: readonly string[], texts: readonly string[]): void;
  /** Where a caller who names no tag and is bound to none adds what it says. */
  defaultTag: string;
}

/** What answers callers. */
export interface Answering {
  search: Search;
  profile: Profile;
}

/** The best come first; what is told of one answer must not grow with what is asked for. */
const MOST_TEXTS = 100;
const LONGEST = 2_000;
const MOST_CHARACTERS = 40_000;

export function bounded(texts: Iterable<string>): string[] {
  const kept: string[] = [];
  let room = MOST_CHARACTERS;
  for (const text of texts) {
    const short = cutText(text, Math.min(LONGEST, room));
    if (short === '') continue;
    kept.push(short);
    room -= short.length;
    if (kept.length === MOST_TEXTS || room <= 0) break;
  }
  return kept;
}

function* ofMemories({ results }: SearchMemoriesOutput): Generator<string> {
  for (const { memory, chunk } of results) yield memory ?? chunk ?? '';
  for (const { context, chunks } of results) {
    for (const { memory } of [context?.parents, context?.children, context?.related].flatMap(
      (relatives) => relatives ?? [],
    ))
      yield memory;
    for (const { content } of chunks ?? []) yield content;
  }
}

function* ofDocuments({ results }: SearchDocumentsOutput): Generator<string> {
  for (const { chunks } of results) for (const { content } of chunks) yield content;
}

/** How a profile marks what is recent or put together; agents repeat the statement and not the mark. */
const MARK = /^\[(?:Recent|Summary)\] (?:\[\d{4}-\d{2}-\d{2}\] )?/;

function* ofProfile({ profile, searchResults }: ProfileOutput): Generator<string> {
  const { static: lasting = [], dynamic = [], buckets = {} } = profile;
  if (searchResults) yield* ofMemories(searchResults);
  for (const line of [...lasting, ...dynamic, ...Object.values(buckets).flat()]) yield line.replace(MARK, '');
}

/** The same, and what they answer is told. */
export function serving({ search, profile }: Answering, { tell, defaultTag }: ServingDeps): Answering {
  const told = (tags: readonly string[], texts: Iterable<string>): void => {
    const kept = bounded(texts);
    if (kept.length > 0) tell(tags, kept);
  };
  const tagsOf = ({ scope }: Caller): readonly string[] => scope.reads ?? [defaultTag];

  return {
    search: {
      ...search,
      async documents(caller, input, signal) {
        const answer = await search.documents(caller, input, signal);
        told(tagsOf(caller), ofDocuments(answer));
        return answer;
      },
      async memories(caller, input, signal) {
        const answer = await search.memories(caller, input, signal);
        told(tagsOf(caller), ofMemories(answer));
        return answer;
      },
    },
    profile: {
      ...profile,
      async read(caller, input, signal) {
        const answer = await profile.read(caller, input, signal);
        told([input.tag], ofProfile(answer));
        return answer;
      },
      async ofTag(caller, tag) {
        const answer = await profile.ofTag(caller, tag);
        told([tag], ofProfile(answer));
        return answer;
      },
    },
  };
}
