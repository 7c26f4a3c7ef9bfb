// The published wrappers of language models: they recall before the model is asked, and store what was said.
import { supermemoryTools, withSupermemory } from '@supermemory/tools/ai-sdk';
import { withSupermemory as withMemory } from '@supermemory/tools/openai';
import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV2 } from 'ai/test';
import OpenAI from 'openai';
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { found } from '../support/until.ts';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();

const QUESTION = 'Where is my sailing boat? I call it Tern.';
const ANSWER = 'In the harbour.';

/** A tag in which a boat is known. */
const tagWithBoat = async (containerTag: string): Promise<string> => {
  const { id } = await memoir.add({ content: 'Ada keeps her sailing boat in Lagos.', containerTag });
  await memoir.remembered(id);
  return containerTag;
};

/** The conversation that a wrapper stores in the background. */
const stored = async (customId: string): Promise<Record<string, unknown>> => {
  const id = await found(`the conversation ${customId}`, async () => {
    const { status, body } = await memoir.ask('GET', `/v3/documents/${customId}`);
    return status === 200 ? String(body.id) : null;
  });
  return memoir.remembered(id);
};

const options = (containerTag: string, customId: string) => ({
  ...{ containerTag, customId, apiKey: memoir.key, baseUrl: memoir.url },
  ...{ mode: 'full' as const, addMemory: 'always' as const },
});

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };

type Answer = Awaited<ReturnType<MockLanguageModelV2['doGenerate']>>;

const says = (text: string): Answer => ({
  ...{ content: [{ type: 'text', text }], finishReason: 'stop', usage, warnings: [] },
});

const callsTool = (toolName: string, input: object): Answer => ({
  content: [{ type: 'tool-call', toolCallId: 'call-1', toolName, input: JSON.stringify(input) }],
  ...{ finishReason: 'tool-calls', usage, warnings: [] },
});

/** Gives these answers one after the other. */
const modelWith = (...answers: Answer[]): MockLanguageModelV2 =>
  new MockLanguageModelV2({ doGenerate: async () => answers.shift() ?? says(ANSWER) });

describe('the AI SDK', () => {
  verifies(
    'client:programs:models',
    'a wrapped model gets the memories, and the talk is stored',
    async () => {
      const containerTag = await tagWithBoat('wrapped-ai');
      const model = modelWith(says(ANSWER));
      const wrapped = withSupermemory(model, options(containerTag, 'talk-ai'));
      expect((await generateText({ model: wrapped, prompt: QUESTION })).text).toBe(ANSWER);
      expect(JSON.stringify(model.doGenerateCalls[0]?.prompt)).toContain('Lagos');
      expect((await stored('talk-ai')).content).toContain('I call it Tern');
    },
  );

  verifies('client:programs:models', 'a model calls the tools by itself', async () => {
    const containerTag = await tagWithBoat('tools-ai');
    const tools = supermemoryTools(memoir.key, { baseUrl: memoir.url, containerTags: [containerTag] });
    const asked = { informationToGet: 'Where is the sailing boat?', includeFullDocs: false, limit: 5 };
    const model = modelWith(callsTool('searchMemories', asked), says(ANSWER));
    await generateText({ model, tools, prompt: QUESTION, stopWhen: stepCountIs(2) });
    expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain('Lagos');
  });
});

verifies(
  'client:programs:models',
  "OpenAI's client, wrapped, sends the memories, and the talk is stored",
  async () => {
    const containerTag = await tagWithBoat('wrapped-openai');
    const asked: string[] = [];
    const model: typeof fetch = async (_, init) => {
      asked.push(String(init?.body));
      const message = { role: 'assistant', content: ANSWER };
      return Response.json({
        ...{ id: 'chat-1', object: 'chat.completion', created: 0, model: 'stand-in' },
        choices: [{ index: 0, finish_reason: 'stop', message }],
      });
    };
    const client = new OpenAI({ apiKey: 'none', baseURL: 'http://127.0.0.1:9/v1', fetch: model });
    const wrapped: OpenAI = withMemory(client as never, options(containerTag, 'talk-openai')) as never;
    const messages = [{ role: 'user' as const, content: QUESTION }];
    const answer = await wrapped.chat.completions.create({ model: 'stand-in', messages });
    expect(answer.choices[0]?.message.content).toBe(ANSWER);
    expect(asked[0]).toContain('Lagos');
    expect((await stored('talk-openai')).content).toContain('I call it Tern');
  },
);
