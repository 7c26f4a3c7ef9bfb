// One contract for the kinds of servers of models, each as a stand-in with its protocol, and for what is no such server.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openChat } from '../../../server/adapters/language-model/openai/chat.ts';
import { serverKinds } from '../../../server/adapters/local-servers/kinds.generated.ts';
import { createLocalServers } from '../../../server/adapters/local-servers/local-servers.ts';
import type { FoundServer, LocalServers } from '../../../server/adapters/local-servers/port.ts';
import { loadConfig } from '../../../server/config/config.ts';
import { serverConnection } from '../../../server/lib/models/server-models.ts';
import { type OtherProgram, otherPrograms, startProgram } from '../../support/models/servers/harmful.ts';
import { protocols } from '../../support/models/servers/protocols.ts';
import { type StandIn, startStandIn } from '../../support/models/servers/stand-in.ts';
import { says } from '../language-model/chat-server.ts';

const ONE_ATTEMPT = { timeoutMs: 5_000, retries: { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 } };

const foundAt = async (servers: LocalServers): Promise<FoundServer> => {
  const [found] = await servers.list();
  if (!found) throw new Error('No server was found.');
  return found;
};

const modelOf = (name: string): string => name.slice(name.indexOf(':') + 1);

test('every kind of server has a stand-in, and is looked for by default', () => {
  const kinds = serverKinds.map(({ name }) => name).toSorted();
  expect(protocols.map(({ name }) => name).toSorted()).toEqual(kinds);
  expect(
    loadConfig({})
      .localServers.map(({ name }) => name)
      .toSorted(),
  ).toEqual(kinds);
});

describe.each(protocols.map((protocol) => [protocol.name, protocol] as const))('%s', (kind, protocol) => {
  let standIn: StandIn;
  let servers: LocalServers;
  beforeAll(async () => {
    standIn = await startStandIn(protocol);
    servers = createLocalServers([{ name: standIn.name, address: standIn.address }]);
  });
  afterAll(() => standIn.stop());

  test('is found with its models', async () => {
    expect(await servers.answering(5_000)).toEqual([kind]);
    const found = await foundAt(servers);
    expect(found).toMatchObject({ name: kind, address: standIn.address });
    expect(found.title).not.toBe('');
    expect(found.models.map(({ model }) => `${kind}:${model}`).toSorted()).toEqual(
      [standIn.embedding, standIn.chat].toSorted(),
    );
    expect(await servers.find(kind)).toEqual(found);
    expect(await servers.find('nobody')).toBeNull();
  });

  test('says what a model is for, or leaves it open', async () => {
    const found = await foundAt(servers);
    const purposeOf = (name: string) => servers.named(found, modelOf(name))?.purpose;
    expect(['embedding', null]).toContain(purposeOf(standIn.embedding));
    expect(['chat', null]).toContain(purposeOf(standIn.chat));
    expect(servers.named(found, 'unheard-of')).toBeNull();
  });

  test('is asked for its models alone, without a key', async () => {
    const before = standIn.requests.length;
    await servers.list();
    await servers.answering(5_000);
    const asked = standIn.requests.slice(before);
    expect(asked.length).toBeGreaterThan(0);
    for (const { path, body, authorization } of asked) {
      expect(path).toMatch(/^\/(?:api\/tags|api\/show|api\/v0\/models|v1\/models)$/);
      expect(Object.keys(body ?? {})).toEqual(body === null ? [] : ['model']);
      expect(authorization).toBeUndefined();
    }
  });

  test('shows by one word if a model makes vectors', async () => {
    const before = standIn.requests.length;
    expect(await servers.givesVectors(kind, modelOf(standIn.embedding))).toBe(true);
    expect(await servers.givesVectors(kind, modelOf(standIn.chat))).toBe(false);
    expect(standIn.requests.slice(before).map(({ body }) => (body as { input: unknown }).input)).toEqual([
      ['hello'],
      ['hello'],
    ]);
  });

  test('answers with its chat model, without a key', async () => {
    const connection = serverConnection([standIn], standIn.chat);
    if (connection === null) throw new Error('The server is not known.');
    standIn.chats(says({ content: '"tea"' }));
    const before = standIn.requests.length;
    const question = [{ role: 'user' as const, content: 'Tea or coffee?' }];
    const reply = await openChat(connection).ask(question, { name: 'drink', schema: {} }, ONE_ATTEMPT);
    expect(reply.text).toBe('"tea"');
    expect(standIn.requests.slice(before)).toMatchObject([
      { path: '/v1/chat/completions', authorization: undefined, body: { model: modelOf(standIn.chat) } },
    ]);
  });

  test('is not taken for a server of another kind', async () => {
    for (const { name } of serverKinds.filter((other) => other.name !== kind))
      expect(await createLocalServers([{ name, address: standIn.address }]).answering(5_000)).toEqual([]);
  });

  test('has models with a name of their own beside a second server of its kind', async () => {
    const second = createLocalServers([{ name: `${kind}-2`, address: standIn.address }]);
    expect((await foundAt(second)).name).toBe(`${kind}-2`);
  });

  test('is gone when it stops, and back when it starts', async () => {
    await standIn.stop();
    expect(await servers.answering(5_000)).toEqual([]);
    expect(await servers.list()).toEqual([]);
    await standIn.start();
    expect(await servers.answering(5_000)).toEqual([kind]);
  });
});

describe('a program that is no server of models', () => {
  let program: OtherProgram | undefined;
  afterEach(() => program?.close());

  test.each(otherPrograms)('is none for any kind if it %s', async (_, listener) => {
    const other = await startProgram(listener);
    program = other;
    const servers = createLocalServers(serverKinds.map(({ name }) => ({ name, address: other.address })));
    expect(await servers.answering(400)).toEqual([]);
  });

  test('leads nowhere: a redirect is not followed', async () => {
    const target = await startStandIn(protocols[0] as (typeof protocols)[number]);
    program = await startProgram((request, response) => {
      response.writeHead(307, { location: target.address + request.url }).end();
    });
    const servers = createLocalServers([{ name: 'ollama', address: program.address }]);
    expect(await servers.answering(5_000)).toEqual([]);
    expect(await servers.givesVectors('ollama', 'nomic-embed-text')).toBe(false);
    expect(program.asked).toHaveLength(2);
    expect(target.requests).toEqual([]);
    await target.stop();
  });

  test('shows no name that a terminal could not show, and none twice too long', async () => {
    const names = ['good', 'es\u001b[31mcape', 'x'.repeat(201), '', 7, null];
    program = await startProgram((_, response) => {
      response.end(JSON.stringify({ models: names.map((name) => ({ name })) }));
    });
    const servers = createLocalServers([{ name: 'ollama', address: program.address }]);
    expect((await foundAt(servers)).models.map(({ model }) => model)).toEqual(['good']);
  });
});

test('an older Ollama that names no capabilities shows an embedding model by its pooling', async () => {
  const program = await startProgram((request, response) => {
    const info = { 'bert.pooling_type': 2, 'bert.embedding_length': 384, 'bert.context_length': 512 };
    response.end(
      JSON.stringify(
        request.url === '/api/tags' ? { models: [{ name: 'all-minilm:22m' }] } : { model_info: info },
      ),
    );
  });
  const found = await foundAt(createLocalServers([{ name: 'ollama', address: program.address }]));
  expect(found.models).toEqual([
    { model: 'all-minilm:22m', purpose: 'embedding', dimensions: 384, mostTokens: 512, megabytes: null },
  ]);
  await program.close();
});
