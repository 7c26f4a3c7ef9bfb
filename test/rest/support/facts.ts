// Content with the facts that its sender states, sent over REST or as the tool of an agent.
import { openAgent } from '../../mcp/support/agents.ts';
import type { Way } from '../../spec/promise.ts';
import { listMemories } from './tell.ts';
import type { Rest } from './use-memoir.ts';

export interface Fact {
  content: string;
  isStatic?: boolean;
  forgetAfter?: string;
  replaces?: string;
}

export interface Sent {
  content: string;
  containerTag: string;
  facts?: readonly (string | Fact)[];
  customId?: string;
}

/** The answer of either way, with the text of a refusal. */
export interface Answered {
  id: string;
  refused: string | null;
  similar: { id: string; memory: string }[];
}

const asFacts = (facts: Sent['facts']): Fact[] | undefined =>
  facts?.map((fact) => (typeof fact === 'string' ? { content: fact } : fact));

const overRest = async (api: Rest, body: object, key?: string): Promise<Answered> => {
  const answer = await api.ask<{
    id: string;
    error?: string;
    message?: string;
    similar?: Answered['similar'];
  }>('POST', '/v3/documents', body, key === undefined ? {} : { key });
  const { id, similar = [], error } = answer.body;
  return { id, similar, refused: answer.status === 200 ? null : `${answer.status}: ${error}` };
};

const asAgent = async ({ memoir }: Rest, body: object, key = memoir.key): Promise<Answered> => {
  const agent = await openAgent('2026', { url: memoir.url, key });
  try {
    const { isError, data, text } = await agent.call('add', { ...body });
    const similar = (data?.similar ?? []) as Answered['similar'];
    return { id: String(data?.id), similar, refused: isError ? text : null };
  } finally {
    await agent.close();
  }
};

/** Does not wait. */
export const send = (api: Rest, way: Way, { facts, ...sent }: Sent, key?: string): Promise<Answered> => {
  const body = { ...sent, ...(facts === undefined ? {} : { facts: asFacts(facts) }) };
  return way === 'mcp' ? asAgent(api, body, key) : overRest(api, body, key);
};

/** Sends it, expects that it is taken, and waits until its memories are stored. */
export const state = async (api: Rest, way: Way, sent: Sent): Promise<Answered> => {
  const answer = await send(api, way, sent);
  if (answer.refused !== null) throw new Error(answer.refused);
  await api.memoir.remembered(answer.id);
  return answer;
};

/** The latest memories under the tag by their text, forgotten ones too. */
export const latest = async (api: Rest, tag: string) => {
  const { memoryEntries } = await listMemories(api, tag);
  return new Map(memoryEntries.map((entry) => [entry.memory, entry]));
};
