// Records the texts that callers got: an agent may repeat them in a conversation, and a repetition is not a new memory.
// Only searches and profiles are recorded, because agents put them into prompts. Lists and single documents are read by people
// and by polling programs.
import type { ProfileOutput } from '../../../tools/profile/schemas/profile.ts';
import type { SearchDocumentsOutput, SearchMemoriesOutput } from '../../../tools/search/schemas/outputs.ts';
import type { Caller } from '../../core/principal.ts';
import { cutText } from '../../lib/text/cut.ts';
import type { Profile, ProfileEntries } from '../profile/profile.ts';
import type { Search } from '../search/search.ts';

export interface ServedRecording {
  /** Must neither wait nor throw. */
  tell(tags: readonly string[], texts: readonly string[]): void;
  /** The tag under which a caller without tags adds content. */
  defaultTag: string;
}

/** The parts that answer callers. */
export interface AnsweringParts {
  search: Search;
  profile: Profile;
}

/** The limit of recorded texts for one answer; the best come first. */
const MOST_TEXTS = 100;
const LONGEST = 2_000;
const MOST_CHARACTERS = 40_000;

const boundedTexts = (texts: Iterable<string>): string[] => {
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
};

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

/** The marks of a profile on recent or combined lines; agents repeat the statement without them. */
const MARK = /^\[(?:Recent|Summary)\] (?:\[\d{4}-\d{2}-\d{2}\] )?/;

function* ofProfile({ profile, searchResults }: ProfileOutput): Generator<string> {
  const { static: lasting = [], dynamic = [], buckets = {} } = profile;
  if (searchResults) yield* ofMemories(searchResults);
  for (const line of [...lasting, ...dynamic, ...Object.values(buckets).flat()]) yield line.replace(MARK, '');
}

function* ofEntries({ static: lasting, dynamic, buckets }: ProfileEntries): Generator<string> {
  for (const { memory } of [...lasting, ...dynamic, ...Object.values(buckets).flat()]) yield memory;
}

/** The same parts, with their answers recorded. */
export const recordServed = (
  { search, profile }: AnsweringParts,
  { tell, defaultTag }: ServedRecording,
): AnsweringParts => {
  const told = (tags: readonly string[], texts: Iterable<string>): void => {
    const kept = boundedTexts(texts);
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
      async entries(caller, input) {
        const answer = await profile.entries(caller, input);
        told([input.tag], ofEntries(answer));
        return answer;
      },
      async ofTag(caller, tag) {
        const answer = await profile.ofTag(caller, tag);
        told([tag], ofProfile(answer));
        return answer;
      },
    },
  };
};
