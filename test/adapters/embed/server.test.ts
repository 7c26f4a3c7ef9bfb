// Tests of embeddings from a server on this machine, each kind as a stand-in with its protocol.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestedSpace } from '../../../server/adapters/embed/open.ts';
import { serverEmbedder } from '../../../server/adapters/embed/server.ts';
import { keepMostTokens, useModel } from '../../../server/lib/models/model-folder.ts';
import type { ServerPlace } from '../../../server/lib/models/server-models.ts';
import { startProgram } from '../../support/models/servers/harmful.ts';
import { ollamaProtocol, protocols } from '../../support/models/servers/protocols.ts';
import { type StandIn, startStandIn } from '../../support/models/servers/stand-in.ts';
import { embedderContract, embedOne, passage } from './contract.ts';
import { failureOf } from './openai-fixture.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'memoir-server-'));

const settingsOf = (folder: string, places: readonly ServerPlace[], setting: string | null = null) => ({
  embedding: null,
  localServers: places,
  local: { folder, setting, threads: 1, batchTokens: 512 },
});

for (const protocol of protocols)
  describe(protocol.name, () => {
    embedderContract(serverEmbedder, async () => {
      const standIn = await startStandIn(protocol);
      const folder = newFolder();
      useModel(folder, 'embedding', standIn.embedding);
      return {
        settings: settingsOf(folder, [standIn]),
        async close() {
          await standIn.stop();
          rmSync(folder, { recursive: true });
        },
      };
    });
  });

describe('the embedding model of a server on this machine', () => {
  let standIn: StandIn;
  let folder: string;
  beforeEach(async () => {
    standIn = await startStandIn(ollamaProtocol);
    folder = newFolder();
    useModel(folder, 'embedding', standIn.embedding);
  });
  afterEach(async () => {
    await standIn.stop();
    rmSync(folder, { recursive: true });
  });

  const sent = (): string[] =>
    standIn.requests.flatMap(({ body }) => (body as { input?: string[] } | null)?.input ?? []);

  it('is used when a person chose it and the settings name no other embedder', () => {
    expect(requestedSpace(settingsOf(folder, [standIn]))).toEqual({
      embedder: 'server',
      model: 'ollama:nomic-embed-text',
      dimensions: null,
    });
    expect(requestedSpace(settingsOf(folder, [standIn], '')).embedder).toBe('builtin');
    useModel(folder, 'embedding', null);
    expect(requestedSpace(settingsOf(folder, [standIn])).embedder).toBe('builtin');
  });

  it('gets no key, even where one is set for other services', async () => {
    const before = process.env.OPENAI_API_KEY;
    process.env.OPENAI_API_KEY = 'sk-secret-0123456789';
    try {
      await serverEmbedder.open(settingsOf(folder, [standIn]));
    } finally {
      if (before === undefined) delete process.env.OPENAI_API_KEY;
      else process.env.OPENAI_API_KEY = before;
    }
    expect(standIn.requests.map(({ authorization }) => authorization)).toEqual([undefined]);
  });

  it('gets the beginnings of queries and passages that its family was trained with', async () => {
    const embedder = await serverEmbedder.open(settingsOf(folder, [standIn]));
    await embedder.embedQuery('tea');
    await embedOne(embedder, passage('Ada likes tea.'));
    expect(sent().slice(-2)).toEqual(['search_query: tea', 'search_document: Ada likes tea.']);
    expect(embedder.onlyEnglish).toBe(true);
  });

  it('gets no more of a text than it takes', async () => {
    keepMostTokens(folder, standIn.embedding, 100);
    const embedder = await serverEmbedder.open(settingsOf(folder, [standIn]));
    await embedOne(embedder, passage('A river rose again. '.repeat(100)));
    expect(sent().at(-1)?.length).toBe('search_document: '.length + 300);
  });

  it.each(protocols.map((protocol) => [protocol.name, protocol] as const))(
    'gets a shorter text after it refused a longer one, without the context: %s',
    async (_, protocol) => {
      const other = await startStandIn(protocol);
      useModel(folder, 'embedding', other.embedding);
      const embedder = await serverEmbedder.open(settingsOf(folder, [other]));
      other.takesAtMost(900);
      const before = other.requests.length;
      const long = passage('The ferry leaves at noon. '.repeat(20), { previous: ['When? '.repeat(150)] });
      const vectors = await embedder.embed([passage('short'), long, passage('shorter')]);
      expect(vectors).toHaveLength(3);
      const inputs = other.requests.slice(before).flatMap(({ body }) => (body as { input: string[] }).input);
      expect(inputs.filter((text) => text.includes('ferry')).at(-1)).toMatch(
        /^(?:\S+: )?(?:When\? )*.*The ferry/s,
      );
      expect(new Set(inputs.map((text) => text.length <= 900)).size).toBe(2);
      await other.stop();
    },
  );

  it('is told by name when its server is gone', async () => {
    const settings = settingsOf(folder, [standIn]);
    const embedder = await serverEmbedder.open(settings);
    await standIn.stop();
    const error = await failureOf(embedder.embedQuery('tea'));
    expect(error).toMatchObject({ code: 'embedding_unavailable', retryable: true, byProvider: true });
    expect(error.message).toContain('cannot be reached (ECONNREFUSED); check MEMOIR_LOCAL_SERVERS');
  });

  it('cannot be opened when its server is not looked at', async () => {
    const error = await failureOf(serverEmbedder.open(settingsOf(folder, [])));
    expect(error.message).toContain('MEMOIR_LOCAL_SERVERS does not name its server');
    const space = { embedder: 'server', model: standIn.embedding, dimensions: 256 };
    expect(serverEmbedder.openStored(settingsOf(folder, []), space)).toBeNull();
  });

  it('sends no text to the address of a redirect', async () => {
    const thief = await startStandIn(ollamaProtocol);
    const program = await startProgram((request, response) => {
      response.writeHead(307, { location: thief.address + request.url }).end();
    });
    const places = [{ name: 'ollama', address: program.address }];
    const space = { embedder: 'server', model: 'ollama:nomic-embed-text', dimensions: 256 };
    const embedder = serverEmbedder.openStored(settingsOf(folder, places), space);
    await expect(embedder?.embedQuery('tea')).rejects.toThrow('cannot be reached');
    expect(program.asked).not.toEqual([]);
    expect(thief.requests).toEqual([]);
    await Promise.all([program.close(), thief.stop()]);
  });
});
