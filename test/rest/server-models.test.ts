// Models of servers on the same machine, over REST: stand-ins with the protocols of Ollama and vLLM.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { memories } from '../adapters/language-model/chat-server.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { type OtherProgram, startProgram } from '../support/models/servers/harmful.ts';
import { ollamaProtocol, vllmProtocol } from '../support/models/servers/protocols.ts';
import { type StandIn, startStandIn } from '../support/models/servers/stand-in.ts';
import { type OwnChroma, takeChroma } from '../support/on-postgres.ts';
import { until } from '../support/until.ts';

interface Server {
  name: string;
  title: string;
  address: string;
  models: {
    name: string;
    for: string | null;
    dimensions: number | null;
    megabytes: number;
    serves: boolean;
  }[];
}

interface Spaces {
  active: { embedder: string; model: string; answering: boolean };
  wanted: { model: string };
  reindexing: object | null;
  reindexNeeded: boolean;
}

let ollama: StandIn;
let vllm: StandIn;
let web: OtherProgram;
let chroma: OwnChroma;
let memoir: OwnMemoir;
beforeAll(async () => {
  ollama = await startStandIn(ollamaProtocol);
  vllm = await startStandIn(vllmProtocol);
  web = await startProgram((_, response) => void response.end('<html>Welcome</html>'));
  chroma = await takeChroma();
  memoir = await startMemoir({
    ...chroma.env,
    MEMOIR_LOCAL_SERVERS: `ollama=${ollama.address},vllm=${vllm.address},lmstudio=${web.address}`,
  });
  for (const content of ['Anna keeps bees in her garden.', 'Ben owns a red Toyota.'])
    await memoir.add({ content, containerTag: 'notes' });
});
afterAll(async () => {
  await memoir.close();
  await Promise.all([chroma.close(), ollama.stop(), vllm.stop(), web.close()]);
});

const use = (name: string, body: object = {}) =>
  memoir.ask<{ error: string; chosen: object }>('POST', `/v3/models/${encodeURIComponent(name)}/use`, body);

const listed = async (): Promise<Server[]> =>
  (await memoir.ask<{ servers: Server[] }>('GET', '/v3/models')).body.servers;

const spaces = async (): Promise<Spaces> => (await memoir.ask<Spaces>('GET', '/v3/spaces')).body;

const serves = (model: string) =>
  until(`${model} serves`, async () => {
    const { active, reindexing } = await spaces();
    return active.model === model && reindexing === null;
  });

const nearest = async (q: string): Promise<string | undefined> => {
  const body = { q, containerTag: 'notes', searchMode: 'semantic', threshold: 0, limit: 1 };
  const answer = await memoir.ask<{ results: { memory?: string; chunk?: string }[] }>(
    'POST',
    '/v4/search',
    body,
  );
  expect(answer.status).toBe(200);
  return answer.body.results[0]?.chunk ?? answer.body.results[0]?.memory;
};

const embedder = async () =>
  (await memoir.ask<{ parts: { embedder: { status: string; detail: string } } }>('GET', '/health')).body.parts
    .embedder;

/** The texts of anybody that a server got. */
const textsAt = ({ requests }: StandIn): string =>
  JSON.stringify(requests.filter(({ path }) => path.startsWith('/v1/') && path !== '/v1/models'));

describe('servers of models on the machine of Memoir', () => {
  verifies(
    'models:servers:found',
    'a list of models names the servers that answer, and their models',
    async () => {
      expect(await listed()).toEqual([
        {
          name: 'ollama',
          title: 'Ollama',
          address: ollama.address,
          models: [
            {
              name: 'ollama:nomic-embed-text',
              for: 'embedding',
              dimensions: 768,
              mostTokens: 2048,
              megabytes: 274,
              serves: false,
            },
            {
              name: 'ollama:llama3.2',
              for: 'chat',
              dimensions: null,
              mostTokens: 131072,
              megabytes: 2019,
              serves: false,
            },
          ],
        },
        {
          name: 'vllm',
          title: 'vLLM',
          address: vllm.address,
          models: [
            expect.objectContaining({ name: 'vllm:BAAI/bge-m3', for: null, mostTokens: 8192 }),
            expect.objectContaining({ name: 'vllm:Qwen/Qwen3-8B', for: null }),
          ],
        },
      ]);
      expect(textsAt(ollama) + textsAt(vllm)).toBe('[][]');
    },
  );

  verifies(
    'models:servers:refused',
    'a model that its server does not have is refused with those it has',
    async () => {
      const { status, body } = await use('ollama:nomic');
      expect([status, body.error]).toEqual([
        404,
        `Ollama at ${ollama.address} has no model "nomic" for Memoir. It has "ollama:nomic-embed-text". Add the model there, then choose it here.`,
      ]);
      expect((await use('ollama:phi')).body.error).toContain(
        'It has "ollama:nomic-embed-text", "ollama:llama3.2".',
      );
      const unknown = await use('llamafile:phi');
      expect([unknown.status, unknown.body.error]).toEqual([
        404,
        expect.stringContaining(
          'Memoir looks at no server that is called "llamafile". It looks at: ollama at http',
        ),
      ]);
    },
  );

  verifies('models:servers:refused', 'a model is refused for a purpose that is not its own', async () => {
    const { status, body } = await use('ollama:llama3.2', { for: 'embedding' });
    expect([status, body.error]).toEqual([
      400,
      expect.stringContaining('is a chat model, which makes no vectors'),
    ]);
    expect((await use('ollama:nomic-embed-text', { for: 'chat' })).status).toBe(400);
    expect((await use('minilm', { for: 'chat' })).status).toBe(400);
  });

  verifies('models:servers:refused', 'a server that does not answer is told with its address', async () => {
    const { status, body } = await use('lmstudio:qwen');
    expect([status, body.error]).toEqual([
      503,
      expect.stringContaining(`LM Studio does not answer at ${web.address}. Start it there`),
    ]);
    expect((await spaces()).reindexNeeded).toBe(false);
  });

  verifies('models:servers:refused', 'a model of a server is added and removed there, not here', async () => {
    for (const method of ['POST', 'DELETE']) {
      const { status, body } = await memoir.ask<{ error: string }>(method, '/v3/models/ollama%3Aphi', {});
      expect([status, body.error]).toEqual([400, expect.stringContaining('add and remove it there')]);
    }
  });
});

describe('the embedding model of a server', () => {
  verifies(
    'models:servers:embedding',
    'a chosen one embeds all content and answers searches, also after a restart, and going back works',
    async () => {
      const { status, body } = await use('ollama:nomic-embed-text:latest');
      expect([status, body.chosen]).toEqual([202, { name: 'ollama:nomic-embed-text', for: 'embedding' }]);
      await serves('ollama:nomic-embed-text');
      expect(textsAt(ollama)).toContain('search_document: ');
      expect(textsAt(ollama)).toContain('Ben owns a red Toyota.');
      expect(await nearest('bees in a garden')).toContain('bees');
      expect((await listed())[0]?.models.map(({ serves: isUsed }) => isUsed)).toEqual([true, false]);
      await memoir.restart();
      await memoir.add({ content: 'Rosa sings in a choir.', containerTag: 'notes' });
      expect(await nearest('a choir sings')).toContain('Rosa');
      expect((await embedder()).detail).toContain('server ollama:nomic-embed-text, 256 dimensions');
      expect((await use('builtin')).status).toBe(202);
      await serves('words-and-meaning-1');
      expect(await nearest('Rosa choir')).toContain('Rosa');
      expect(new Set(ollama.requests.map(({ authorization }) => authorization))).toEqual(
        new Set([undefined]),
      );
    },
  );

  verifies(
    'models:servers:embedding',
    'one whose server does not say its purpose is known by a vector',
    async () => {
      expect((await use('vllm:BAAI/bge-m3')).body.chosen).toEqual({
        name: 'vllm:BAAI/bge-m3',
        for: 'embedding',
      });
      await serves('vllm:BAAI/bge-m3');
      expect(await nearest('bees in a garden')).toContain('bees');
      expect((await use('ollama:nomic-embed-text')).status).toBe(202);
      await serves('ollama:nomic-embed-text');
    },
  );

  verifies(
    'models:servers:embedding',
    'one whose server is gone leaves searches by words, and works again when the server is back',
    async () => {
      await ollama.stop();
      await memoir.restart();
      const search = { q: 'bees garden', containerTag: 'notes', threshold: 0 };
      const answer = await memoir.ask<{ results: object[] }>('POST', '/v4/search', search);
      expect(answer.status).toBe(200);
      expect(JSON.stringify(answer.body.results)).toContain('bees');
      const { status, detail } = await embedder();
      expect(status).toBe('degraded');
      expect(detail).toMatch(
        /server ollama:nomic-embed-text, 256 dimensions does not answer, so searches use keywords only: .*cannot be reached \(ECONNREFUSED\); check MEMOIR_LOCAL_SERVERS/,
      );
      expect(await listed()).toMatchObject([{ name: 'vllm' }]);
      expect((await memoir.memoir.service.models.look(5_000)).silent).toMatchObject([
        { name: 'ollama:nomic-embed-text', for: 'embedding', at: { title: 'Ollama' } },
      ]);
      const sent = await memoir.ask<{ id: string }>('POST', '/v3/documents', {
        content: 'Tom paints boats.',
        containerTag: 'notes',
      });
      await ollama.start();
      expect((await memoir.settled(sent.body.id)).status).toBe('done');
      await until(
        'searches by meaning',
        async () => (await nearest('paints boats'))?.includes('Tom') ?? false,
      );
      await use('builtin');
      await serves('words-and-meaning-1');
    },
    { timeoutMs: 60_000 },
  );

  verifies('models:servers:refused', 'one is not taken while the settings name a model', async () => {
    await memoir.restart({
      MEMOIR_EMBEDDING_MODEL: 'builtin',
      OPENAI_MODEL: 'm',
      OPENAI_MODEL_URL: vllm.address,
    });
    for (const [name, setting] of [
      ['ollama:nomic-embed-text', 'MEMOIR_EMBEDDING_MODEL'],
      ['ollama:llama3.2', 'OPENAI_MODEL'],
    ] as const) {
      const { status, body } = await use(name);
      expect([status, body.error]).toEqual([409, expect.stringMatching(`^${setting} is ".*" and decides`)]);
    }
    expect((await memoir.memoir.service.models.look(5_000)).found).toEqual([]);
    await memoir.restart();
    expect((await memoir.memoir.service.models.look(5_000)).found.map(({ title }) => title)).toEqual([
      'Ollama',
      'vLLM',
    ]);
  });
});

describe('the chat model of a server', () => {
  const ADA = 'Ada said that the bridge to the harbour opens in May.';
  const drawn = (memory: string) =>
    memories({
      memory,
      kind: 'new',
      of: [],
      static: false,
      inferred: false,
      dates: [],
      forgetAfter: null,
      from: [1],
    });
  afterEach(() => ollama.chats(memories()));

  const tell = async (...contents: string[]): Promise<void> => {
    const told = contents.map((content) => ({ content, isStatic: true }));
    const body = { containerTag: 'ada', memories: told };
    expect((await memoir.ask('POST', '/v4/memories', body)).status).toBeLessThan(300);
  };

  const memoriesOf = async (content: string): Promise<string> => {
    const { id } = await memoir.add({ content, containerTag: 'chat' });
    const document = await memoir.remembered(id);
    return JSON.stringify(document);
  };

  verifies(
    'models:servers:chat',
    'a chosen one reads content for memories, also after a restart, and going back works',
    async () => {
      expect((await use('ollama:llama3.2')).body.chosen).toEqual({ name: 'ollama:llama3.2', for: 'chat' });
      expect((await listed())[0]?.models.map(({ serves: isUsed }) => isUsed)).toEqual([false, true]);
      ollama.chats(drawn('The harbour bridge opens in May.'));
      expect(await memoriesOf(ADA)).toContain('The harbour bridge opens in May.');
      expect(textsAt(ollama)).toContain(ADA);
      await memoir.restart();
      ollama.chats(drawn('The ferry ends in June.'));
      expect(await memoriesOf('Ada said that the ferry stops.')).toContain('The ferry ends in June.');
      expect((await use('builtin', { for: 'chat' })).body.chosen).toEqual({ name: 'builtin', for: 'chat' });
      const before = ollama.requests.length;
      await memoriesOf('Ada said that the tunnel closes.');
      expect(ollama.requests.slice(before)).toEqual([]);
    },
  );

  verifies('models:servers:chat', 'one rewords queries and summarises profiles as well', async () => {
    await tell('Ada lives in Ghent.', 'Ada prefers tea.', 'Ada prefers short answers.');
    const profile = { containerTag: 'ada', q: 'tea' };
    expect((await memoir.ask('POST', '/v4/profile', profile)).status).toBe(200);
    await use('ollama:llama3.2');
    const before = ollama.requests.length;
    const asked = () => JSON.stringify(ollama.requests.slice(before).map(({ body }) => body));
    const body = { q: 'who keeps bees', containerTag: 'notes', rewriteQuery: true };
    expect((await memoir.ask('POST', '/v4/search', body)).status).toBe(200);
    expect(asked()).toContain('who keeps bees');
    await tell('Ada prefers short meetings.');
    expect((await memoir.ask('POST', '/v4/profile', profile)).status).toBe(200);
    await until('the question for a summary', () => asked().includes('SECTIONS'));
    await use('builtin', { for: 'chat' });
    const after = ollama.requests.length;
    await tell('Ada prefers long walks.');
    expect((await memoir.ask('POST', '/v4/profile', profile)).status).toBe(200);
    expect(ollama.requests.slice(after)).toEqual([]);
  });

  verifies(
    'models:servers:chat',
    'one whose server does not say its purpose is known by refusing a vector',
    async () => {
      expect((await use('vllm:Qwen/Qwen3-8B')).body.chosen).toEqual({
        name: 'vllm:Qwen/Qwen3-8B',
        for: 'chat',
      });
      await use('builtin', { for: 'chat' });
    },
  );
});
