// The published tools for agents, unchanged but for their address.

import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { supermemoryTools } from '@supermemory/tools/ai-sdk';
import { createClaudeMemoryTool, type MemoryCommand } from '@supermemory/tools/claude-memory';
import { describe, expect, test } from 'vitest';
import { useServer } from '../support/use-server.ts';

const memoir = useServer();

type Result = { success: boolean; error?: string } & Record<string, unknown>;
interface Tool {
  execute?: unknown;
}

const used = async (tool: Tool, input: object): Promise<Result> => {
  const execute = tool.execute as (input: object, options: object) => Promise<Result>;
  return execute(input, { toolCallId: 'call-1', messages: [] });
};

const toolsFor = (containerTag: string) =>
  supermemoryTools(memoir.key, { baseUrl: memoir.url, containerTags: [containerTag] });

describe('the tools for models', () => {
  test('the tools for models add, find, tell who somebody is, and forget', async () => {
    const tools = toolsFor('agent');
    const added = await used(tools.addMemory, { memory: 'Ada keeps her sailing boat in Lisbon.' });
    expect(added).toMatchObject({ success: true, memory: { id: expect.any(String) } });
    await memoir.remembered((added.memory as { id: string }).id);
    const asked = { informationToGet: 'Where is the sailing boat of Ada?', includeFullDocs: false, limit: 5 };
    const found = await used(tools.searchMemories, asked);
    expect(found).toMatchObject({ success: true, count: expect.any(Number) });
    expect(JSON.stringify(found.results)).toContain('Lisbon');
    const profile = await used(tools.getProfile, { containerTag: 'agent', query: 'boat' });
    expect(profile).toMatchObject({
      success: true,
      profile: { static: expect.any(Array), dynamic: expect.any(Array) },
    });
    const given = { containerTag: 'agent', memories: [{ content: 'Ada owns a red car.' }] };
    await memoir.ask('POST', '/v4/memories', given);
    const forgotten = await used(tools.memoryForget, {
      containerTag: 'agent',
      memoryContent: 'Ada owns a red car.',
    });
    expect(forgotten).toMatchObject({ success: true });
  });

  test('the tools for models list documents, and delete one that is done', async () => {
    const tools = toolsFor('shelf');
    const added = await used(tools.documentAdd, { content: 'A page on tides.', title: 'Tides' });
    expect(added).toMatchObject({ success: true });
    await memoir.idle();
    const listed = await used(tools.documentList, { containerTag: 'shelf', limit: 10, page: 1 });
    expect(listed).toMatchObject({ success: true, documents: [{ id: expect.any(String) }] });
    const [first] = listed.documents as { id: string }[];
    const deleted = await used(tools.documentDelete, { documentId: first?.id ?? '', containerTag: 'shelf' });
    expect(deleted).toMatchObject({ success: true });
    expect(await used(tools.documentList, { containerTag: 'shelf', limit: 10 })).toMatchObject({
      documents: [],
    });
  });
});

test('the tool that keeps files creates, reads, edits, lists and deletes them', async () => {
  const tool = createClaudeMemoryTool(memoir.key, { baseUrl: memoir.url, containerTags: ['files'] });
  const does = async (command: MemoryCommand) => {
    const answer = await tool.handleCommand(command);
    await memoir.idle();
    return answer;
  };
  const path = '/memories/plans.txt';
  const file_text = 'Monday: rest\nTuesday: sail';
  expect(await does({ command: 'create', path, file_text })).toMatchObject({ success: true });
  expect(await does({ command: 'view', path })).toMatchObject({
    success: true,
    content: expect.stringContaining('Tuesday: sail'),
  });
  expect(await does({ command: 'str_replace', path, old_str: 'rest', new_str: 'row' })).toMatchObject({
    success: true,
  });
  expect(
    await does({ command: 'insert', path, insert_line: 2, insert_text: 'Wednesday: read' }),
  ).toMatchObject({ success: true });
  const read = await does({ command: 'view', path });
  for (const day of ['Monday: row', 'Tuesday: sail', 'Wednesday: read']) expect(read.content).toContain(day);
  expect(read.content).not.toContain('rest');
  expect(await does({ command: 'view', path: '/memories/' })).toMatchObject({
    success: true,
    content: expect.stringContaining('plans.txt'),
  });
  const moved = '/memories/week.txt';
  expect(await does({ command: 'rename', path, new_path: moved })).toMatchObject({ success: true });
  expect(await does({ command: 'delete', path: moved })).toMatchObject({ success: true });
  expect(await does({ command: 'view', path: moved })).toMatchObject({ success: false });
});

test('a conversation is sent message by message', async () => {
  const home = dirname(createRequire(import.meta.url).resolve('@supermemory/tools/package.json'));
  const { addConversation } = (await import(
    pathToFileURL(join(home, 'dist', 'conversations-client.js')).href
  )) as {
    addConversation(asked: object): Promise<{ id: string; status: string }>;
  };
  const messages = [
    { role: 'user', content: 'I moved to Porto last week.' },
    { role: 'assistant', content: 'How do you like it?' },
  ];
  const asked = {
    conversationId: 'chat-1',
    messages,
    containerTags: ['agent-talk'],
    apiKey: memoir.key,
    baseUrl: memoir.url,
  };
  const { id } = await addConversation(asked);
  await memoir.remembered(id);
  messages.push({ role: 'user', content: 'The river is lovely.' });
  expect((await addConversation(asked)).id).toBe(id);
  expect((await memoir.settled(id)).content).toContain('The river is lovely.');
});
