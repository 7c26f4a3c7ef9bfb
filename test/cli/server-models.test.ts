// memoir models with servers on the same machine: stand-ins with the protocols of Ollama and LM Studio.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startProgram } from '../support/models/servers/harmful.ts';
import { lmStudioProtocol, ollamaProtocol } from '../support/models/servers/protocols.ts';
import { type StandIn, startStandIn } from '../support/models/servers/stand-in.ts';
import { until } from '../support/until.ts';
import { newPlace, type Place, run, type Server, serve } from './memoir-process.ts';

vi.setConfig({ testTimeout: 60_000 });

let ollama: StandIn;
let lmStudio: StandIn;
let place: Place;
let env: Record<string, string>;
/** The commands ask it while it runs, and open the folder themselves afterwards. */
let first: Server;
beforeAll(async () => {
  ollama = await startStandIn(ollamaProtocol);
  lmStudio = await startStandIn(lmStudioProtocol);
  env = { MEMOIR_LOCAL_SERVERS: `ollama=${ollama.address} lmstudio=${lmStudio.address}` };
  place = newPlace();
  first = await serve({ ...place, env });
  await memoir('add', 'Anna keeps bees in her garden.');
});
afterAll(async () => {
  await Promise.all([first.stop(), ollama.stop(), lmStudio.stop()]);
  place.remove();
});

const memoir = (...args: readonly string[]) => run(args, { ...place, env });

describe('memoir models with servers on this machine', () => {
  test('list shows their models', async () => {
    const { code, stdout } = await memoir('models', 'list');
    expect(code).toBe(0);
    expect(stdout).toContain(
      [
        `Ollama answers at ${ollama.address}:`,
        'ollama:nomic-embed-text  (embedding, 768 dimensions, 274 MB)',
        'ollama:llama3.2  (chat, 2019 MB)',
        '',
        `LM Studio answers at ${lmStudio.address}:`,
        'lmstudio:qwen2-vl-7b-instruct  (chat)',
        'lmstudio:text-embedding-nomic-embed-text-v1.5  (embedding)',
        '',
      ].join('\n'),
    );
  });

  test('use takes an embedding model, and builtin goes back', async () => {
    expect((await memoir('models', 'use', 'ollama:nomic-embed-text')).stdout).toBe(
      'Done: searches now use server ollama:nomic-embed-text.\nTo go back: memoir models use builtin\n',
    );
    expect((await memoir('search', 'bees in a garden', '--mode', 'semantic')).stdout).toContain(
      'Anna keeps bees',
    );
    expect((await memoir('models', 'list')).stdout).toContain(
      'ollama:nomic-embed-text  (embedding, 768 dimensions, 274 MB) — in use',
    );
    expect((await memoir('models', 'use', 'builtin')).stdout).toBe(
      'Done: searches now use builtin words-and-meaning-1.\n',
    );
  });

  test('use takes a chat model, and builtin --for chat goes back', async () => {
    expect((await memoir('models', 'use', 'lmstudio:qwen2-vl-7b-instruct')).stdout).toBe(
      [
        'Done: lmstudio:qwen2-vl-7b-instruct reads new content for memories, summarises profiles and rewords queries.',
        'To read stored content with it: memoir remember --again',
        'To go back: memoir models use builtin --for chat',
        '',
      ].join('\n'),
    );
    expect((await memoir('models', 'use', 'builtin', '--for', 'chat')).stdout).toBe(
      'Done: rules draw the memories of new content, and nothing is sent to a model.\n',
    );
  });

  test('use refuses a model that the server does not have, and a purpose that is none', async () => {
    expect(await memoir('models', 'use', 'ollama:phi')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It has "ollama:nomic-embed-text", "ollama:llama3.2".'),
    });
    expect((await memoir('models', 'use', 'builtin', '--for', 'talk')).code).toBe(2);
  });

  test('a start mentions a server that answers, until one of its models is in use, and then its silence', async () => {
    await until('the mention', () => first.stderr().includes('LM Studio answers'));
    expect(first.stderr()).toMatch(/^Ollama answers on this machine: .* models list shows its models\.$/m);
    expect(first.stdout()).toContain('is ready at');
    await first.stop();
    await memoir('models', 'use', 'ollama:nomic-embed-text');
    await ollama.stop();
    const second = await serve({ ...place, env });
    await until('the silence', () => second.stderr().includes('does not answer'));
    expect(second.stderr()).toMatch(
      /^Note: the model ollama:nomic-embed-text is chosen, and Ollama does not answer at http:\S+: searches use words only until it does\. Start it, or go back: .* models use builtin\.$/m,
    );
    expect(second.stderr()).not.toContain('Ollama answers');
    await second.stop();
  });

  test('a start waits for no program that hangs at such a port', async () => {
    const hanging = await startProgram(() => {});
    const other = newPlace();
    const server = await serve({ ...other, env: { MEMOIR_LOCAL_SERVERS: `vllm=${hanging.address}` } });
    expect(server.stdout()).toContain('is ready at');
    await until('the look', () => hanging.asked.length > 0);
    expect(await server.stop()).toBe(0);
    expect(server.stderr()).not.toContain('answer');
    await hanging.close();
    other.remove();
  });
});
