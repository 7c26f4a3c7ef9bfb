// Tests of models that one process of several chose: all of them use the model, and those that start later too.
import { expect, test } from 'vitest';
import { memories } from '../../adapters/language-model/chat-server.ts';
import { migratedPostgres } from '../../adapters/store/open-postgres.ts';
import { describeOnPostgres } from '../../adapters/store/postgres/with-postgres.ts';
import { type OwnMemoir, startMemoir } from '../../support/memoir.ts';
import { ollamaProtocol } from '../../support/models/servers/protocols.ts';
import { type StandIn, startStandIn } from '../../support/models/servers/stand-in.ts';
import { onPostgres } from '../../support/on-postgres.ts';
import type { TestPostgres } from '../../support/postgres.ts';
import { until } from '../../support/until.ts';
import { startExternalChroma } from '../support/external-chroma.ts';

interface Spaces {
  active: { model: string };
  reindexNeeded: boolean;
  reindexing: object | null;
}

interface Surroundings {
  ollama: StandIn;
  start(role: string): Promise<OwnMemoir>;
  close(): Promise<void>;
}

const surround = async (postgres: TestPostgres): Promise<Surroundings> => {
  const url = await postgres.take();
  const [ollama, chroma] = await Promise.all([startStandIn(ollamaProtocol), startExternalChroma()]);
  const env = {
    ...{ ...onPostgres(url), CHROMA_URL: chroma.url() },
    MEMOIR_LOCAL_SERVERS: `ollama=${ollama.address}`,
  };
  return {
    ollama,
    start: (role) => startMemoir({ ...env, MEMOIR_ROLE: role }),
    async close() {
      await Promise.all([ollama.stop(), chroma.close()]);
      await postgres.giveBack(url);
    },
  };
};

const use = async (memoir: OwnMemoir, key: string, model: string, purpose: string): Promise<void> => {
  const path = `/v3/models/${encodeURIComponent(model)}/use`;
  expect((await memoir.ask('POST', path, { for: purpose }, { key })).status).toBe(202);
};

/** A worker answers no request for it. */
const served = async ({ memoir }: OwnMemoir): Promise<string[]> => {
  const servers = await memoir.service.models.servers();
  return servers.flatMap(({ models }) => models.filter(({ serves }) => serves).map(({ name }) => name));
};

const isIn = async ({ ask }: OwnMemoir, key: string, model: string): Promise<boolean> => {
  const { body } = await ask<Spaces>('GET', '/v3/spaces', undefined, { key });
  return body.active.model === model && !body.reindexNeeded && body.reindexing === null;
};

const sharesEmbeddingModels = (postgres: TestPostgres): void =>
  test('an embedding model that one process chose fills the vectors of another, and serves in all', async () => {
    const { start, close } = await surround(postgres);
    const all = await start('all');
    const { key } = all;
    await all.add({ content: 'Ada keeps bees behind the mill.', containerTag: 'farm' });
    const api = await start('api');
    await use(api, key, 'ollama:nomic-embed-text', 'embedding');
    for (const memoir of [api, all])
      await until('the model everywhere', () => isIn(memoir, key, 'ollama:nomic-embed-text'));
    const later = await start('all');
    expect(await isIn(later, key, 'ollama:nomic-embed-text')).toBe(true);
    await use(later, key, 'builtin', 'embedding');
    for (const memoir of [api, all, later])
      await until('the built-in one everywhere', () => isIn(memoir, key, 'words-and-meaning-1'));
    for (const memoir of [later, api, all]) await memoir.close();
    await close();
  });

const sharesChatModels = (postgres: TestPostgres): void =>
  test('a chat model that one process chose reads content in another, until somebody goes back', async () => {
    const { ollama, start, close } = await surround(postgres);
    const api = await start('api');
    const { key } = api;
    const worker = await start('worker');
    await use(api, key, 'ollama:llama3.2', 'chat');
    const drawn = { memory: 'The bridge opens in May.', kind: 'new', of: [], static: false };
    ollama.chats(memories({ ...drawn, inferred: false, dates: [], forgetAfter: null, from: [1] }));
    const later = await start('api');
    expect(await served(later)).toEqual(['ollama:llama3.2']);
    await until('the model in the worker', async () => (await served(worker)).length > 0);
    const draws = async (content: string): Promise<void> => {
      const { id } = await api.add({ content, containerTag: 'ada' });
      await api.remembered(id);
    };
    await draws('Ada said that the bridge to the harbour opens in May.');
    expect(JSON.stringify(ollama.requests)).toContain('the bridge to the harbour');
    await use(later, key, 'builtin', 'chat');
    for (const memoir of [api, worker])
      await until('the rules everywhere', async () => (await served(memoir)).length === 0);
    const before = ollama.requests.filter(({ path }) => path.includes('chat')).length;
    await draws('Ada said that the tunnel closes.');
    expect(ollama.requests.filter(({ path }) => path.includes('chat')).length).toBe(before);
    for (const memoir of [later, api, worker]) await memoir.close();
    await close();
  });

await describeOnPostgres('models of several processes', migratedPostgres, (postgres) => {
  sharesEmbeddingModels(postgres);
  sharesChatModels(postgres);
});
