// The first result of a hybrid search is the memory that answers, in every way in which published programs ask.
import { supermemoryTools } from '@supermemory/tools/ai-sdk';
import Supermemory from 'supermemory';
import { beforeAll, describe, expect } from 'vitest';
import { openAgent } from '../mcp/support/agents.ts';
import type { FactInTag } from '../memories/first-result/fact.ts';
import { heldFacts } from '../memories/first-result/held.ts';
import { seenFacts } from '../memories/first-result/seen.ts';
import { verifies } from '../spec/verifies.ts';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();

interface Asked extends FactInTag {
  containerTag: string;
}

const asked = (half: string, tags: readonly (readonly FactInTag[])[]): Asked[] =>
  tags.flatMap((facts, at) => facts.map((fact) => ({ ...fact, containerTag: `first_result_${half}_${at}` })));

const all = [...asked('seen', seenFacts), ...asked('held', heldFacts)];

interface Found {
  memory?: string | undefined;
}

interface Answered {
  results: Found[];
}

/** The first result; undefined: there is none. */
type FirstResult = (fact: Asked) => Promise<Found | undefined>;

let client: Supermemory;
beforeAll(async () => {
  client = new Supermemory({ baseURL: memoir.url, apiKey: memoir.key, maxRetries: 0 });
  const ids: string[] = [];
  for (const { content, containerTag } of all) ids.push((await client.add({ content, containerTag })).id);
  for (const id of ids) await memoir.remembered(id);
});

const overRest: FirstResult = async ({ question, containerTag }) => {
  const body = { q: question, containerTag, searchMode: 'hybrid' };
  const answer = await memoir.ask<Answered>('POST', '/v4/search', body);
  return answer.body.results[0];
};

const byClient: FirstResult = async ({ question, containerTag }) => {
  const { results } = await client.search.memories({ q: question, containerTag, searchMode: 'hybrid' });
  return results[0];
};

const byTools: FirstResult = async ({ question, containerTag }) => {
  const { searchMemories } = supermemoryTools(memoir.key, {
    baseUrl: memoir.url,
    containerTags: [containerTag],
  });
  const execute = searchMemories.execute as (input: object, options: object) => Promise<Answered>;
  const input = { informationToGet: question, includeFullDocs: false, limit: 5 };
  return (await execute(input, { toolCallId: 'call-1', messages: [] })).results[0];
};

const byAgent: FirstResult = async ({ question, containerTag }) => {
  const key = await memoir.scopedKey([containerTag]);
  const agent = await openAgent('2026', { url: memoir.url, key });
  try {
    const { data } = await agent.call('search', { query: question });
    return (data as unknown as Answered).results[0];
  } finally {
    await agent.close();
  }
};

const ways: Readonly<Record<string, FirstResult>> = {
  REST: overRest,
  'the published client': byClient,
  'the published tools for models': byTools,
  'the agent tool': byAgent,
};

/** Of the questions that find something, this share has a memory as its first result. */
const IS_MEMORY = 0.95;
/** Of all questions, this share is answered by it. Some share no word with their fact. */
const ANSWERS = 0.85;

describe.each(Object.keys(ways))('a hybrid search by %s', (way) => {
  verifies('search:hybrid:memory-first', 'answers with the memory that states the fact', async () => {
    const first: { question: string; found: boolean; memory: string | undefined; answers: boolean }[] = [];
    for (const fact of all) {
      const found = await ways[way]?.(fact);
      const memory = found?.memory;
      const answers = memory?.toLowerCase().includes(fact.answer.toLowerCase()) === true;
      first.push({ question: fact.question, found: found !== undefined, memory, answers });
    }
    const found = first.filter((one) => one.found);
    const others = found.filter(({ memory }) => memory === undefined);
    expect(found.length / all.length).toBeGreaterThanOrEqual(ANSWERS);
    expect(others.length / found.length, JSON.stringify(others)).toBeLessThanOrEqual(1 - IS_MEMORY);
    const wrong = first.filter(({ answers }) => !answers);
    expect(wrong.length / all.length, JSON.stringify(wrong)).toBeLessThanOrEqual(1 - ANSWERS);
  });
});
