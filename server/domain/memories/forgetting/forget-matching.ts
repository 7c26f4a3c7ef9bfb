// Chooses what an instruction to forget takes: by ids, or by the topic of a query.
import type { ForgetMatchingInput } from '../../../../tools/memories/schemas/inputs.ts';
import type { MemoryStore } from '../../../adapters/store/ports/memories/memories.ts';
import type { Caller } from '../../../core/principal.ts';
import { holdsEveryTag } from '../../../core/refusals.ts';
import type { FoundMemory } from '../../search/find-memories.ts';
import type { Search } from '../../search/search.ts';
import { readForgetTopic } from './forget-topic.ts';
import { onTopic } from './on-topic.ts';

export interface ForgetMatchingDeps {
  readonly store: Pick<MemoryStore, 'among'>;
  readonly search: Search['findMemories'];
}

export interface MatchingMemory {
  id: string;
  memory: string;
  score: number;
}

export interface MatchingMemories {
  chosen: MatchingMemory[];
  /** The memories that look most alike and stay; empty if some were chosen. */
  alike: MatchingMemory[];
}

type Scores = ReadonlyMap<string, number>;

/** The most memories that are compared with the topic in full. */
const COMPARED = 1_000;
/** Finds what says "User" too: an instruction about oneself does not name oneself. */
const SPEAKER = 'User name';

const ALIKE_SHOWN = 3;

const bestOf = (scores: Scores, limit: number): Scores =>
  new Map([...scores].sort(([, a], [, b]) => b - a).slice(0, limit));

/** A memory that holds the topic has a score of at least 0.5. */
const scoreOnTopic = (similarity: number): number => (1 + similarity) / 2;

const matchesOf = async (
  { search }: ForgetMatchingDeps,
  caller: Caller,
  { tags, query = '', threshold, maxForget }: ForgetMatchingInput,
  signal: AbortSignal,
): Promise<{ chosen: Scores; alike: Scores }> => {
  const topic = readForgetTopic(query);
  const chosen = new Map<string, number>();
  const alike = new Map<string, number>();
  for (const tag of tags) {
    const find = (q: string): Promise<FoundMemory[]> =>
      search(caller, { q, tags: [tag], threshold: 0, limit: COMPARED, forgotten: false }, signal);
    const near = await find(topic.text);
    const mayBeSpeakers = (await find(SPEAKER)).map(({ record }) => ({ record, similarity: 0 }));
    const all = new Map([...mayBeSpeakers, ...near].map((one) => [one.record.id, one]));
    const holding = onTopic(
      topic,
      [...all.values()].map(({ record }) => record.memory),
    );
    for (const [id, { record, similarity }] of all)
      if (holding.has(record.memory)) chosen.set(id, scoreOnTopic(similarity));
    for (const { record, similarity } of near) alike.set(record.id, similarity);
  }
  const wanted = new Map([...chosen].filter(([, score]) => score >= threshold));
  return { chosen: bestOf(wanted, maxForget), alike: bestOf(alike, ALIKE_SHOWN) };
};

/** Only memories that exist and that the caller may change, the best first. */
export const findMatching = async (
  deps: ForgetMatchingDeps,
  caller: Caller,
  input: ForgetMatchingInput,
  signal: AbortSignal,
): Promise<MatchingMemories> => {
  const changeable = async (scores: Scores): Promise<MatchingMemory[]> => {
    const records = await deps.store.among(caller.scope, { tags: input.tags, ids: [...scores.keys()] });
    return records
      .filter((record) => holdsEveryTag(caller, record))
      .map(({ id, memory }) => ({ id, memory, score: scores.get(id) ?? 0 }));
  };
  if (input.ids !== undefined)
    return { chosen: await changeable(new Map(input.ids.map((id) => [id, 1]))), alike: [] };
  const matches = await matchesOf(deps, caller, input, signal);
  const chosen = await changeable(matches.chosen);
  return { chosen, alike: chosen.length > 0 ? [] : await changeable(matches.alike) };
};
