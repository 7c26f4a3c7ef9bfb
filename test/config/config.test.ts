import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../server/config/config.ts';

/** What a start with these settings says. */
const refusal = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
};

test('a variable that is set to nothing counts as not set', () => {
  expect(loadConfig({ PORT: '', CHROMA_URL: ' ', MEMOIR_API_KEY: '' })).toEqual(loadConfig({}));
});

test('what is given is read, with spaces around it and slashes at its end taken off', () => {
  const config = loadConfig({
    PORT: ' 0 ',
    MEMOIR_DATA_DIR: 'some/where',
    MEMOIR_BASE_URL: 'https://memory.example.org/memoir//',
    MEMOIR_API_KEY: 'sm_12345678901234567',
    MEMOIR_LOG_LEVEL: 'debug',
  });
  expect(config).toMatchObject({
    port: 0,
    baseUrl: 'https://memory.example.org/memoir',
    apiKey: 'sm_12345678901234567',
    logLevel: 'debug',
  });
  expect(isAbsolute(config.dataDir)).toBe(true);
});

describe('a wrong value', () => {
  test.each([
    [{ PORT: 'http' }, 'PORT cannot be "http": expected a whole number from 0 to 65535.'],
    [
      { MEMOIR_QUERY_DEADLINE_MS: '9' },
      'MEMOIR_QUERY_DEADLINE_MS cannot be "9": expected a whole number from 10 to 600000.',
    ],
    [{ PORT: '65536' }, 'PORT cannot be "65536": expected a whole number from 0 to 65535.'],
    [{ PORT: '-1' }, 'PORT cannot be "-1": expected a whole number from 0 to 65535.'],
    [{ CHROMA_SHARDS: '6' }, 'CHROMA_SHARDS cannot be "6": expected a power of two from 1 to 64, as in 4.'],
    [
      { CHROMA_URL: 'localhost:8000' },
      'CHROMA_URL cannot be "localhost:8000": expected an http or https address, as in https://memory.example.org.',
    ],
    [
      { MEMOIR_LOG_LEVEL: 'loud' },
      'MEMOIR_LOG_LEVEL cannot be "loud": expected one of fatal, error, warn, info, debug, trace, silent.',
    ],
  ])('%o is refused with a sentence that names it, what was given and what is expected', (env, sentence) => {
    expect(refusal(env)).toEqual([sentence]);
  });

  test('several are named at once, a model without its service among them', () => {
    const names = refusal({ PORT: 'x', MEMOIR_BASE_URL: 'y', MEMOIR_EMBEDDING_MODEL: 'm' }).map(
      (sentence) => sentence.split(' ')[0],
    );
    expect(names).toEqual(['PORT', 'MEMOIR_BASE_URL', 'MEMOIR_EMBEDDING_MODEL']);
  });

  test('a secret is never repeated, nor a password in an address', () => {
    const said = refusal({ MEMOIR_API_KEY: 'hunter2', OPENAI_BASE_URL: 'https://me:hunter2@host/' }).join();
    expect(said).toContain('MEMOIR_API_KEY');
    expect(said).toContain('OPENAI_BASE_URL');
    expect(said).not.toContain('hunter2');
  });
});

describe('embedding', () => {
  test('a key for OpenAI alone sends nothing anywhere: the builtin embedder stays', () => {
    expect(loadConfig({ OPENAI_API_KEY: 'sk-x', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }).embedding).toBe(
      null,
    );
  });

  test('a model with a key goes to OpenAI', () => {
    const env = {
      MEMOIR_EMBEDDING_MODEL: 'small',
      OPENAI_API_KEY: 'sk-x',
      MEMOIR_EMBEDDING_DIMENSIONS: '256',
    };
    expect(loadConfig(env).embedding).toEqual({
      model: 'small',
      apiKey: 'sk-x',
      dimensions: 256,
      baseUrl: 'https://api.openai.com/v1',
    });
  });

  test('a service of its own needs no key', () => {
    const env = { MEMOIR_EMBEDDING_MODEL: 'nomic', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1' };
    expect(loadConfig(env).embedding).toEqual({ model: 'nomic', baseUrl: 'http://127.0.0.1:11434/v1' });
  });

  test('each model may have a service of its own, and the key for all is not sent to it', () => {
    const env = {
      OPENAI_API_KEY: 'sk-all',
      MEMOIR_EMBEDDING_MODEL: 'nomic',
      MEMOIR_EMBEDDING_URL: 'http://127.0.0.1:11434/v1/',
      OPENAI_MODEL: 'reader',
      OPENAI_MODEL_API_KEY: 'sk-reader',
      MEMOIR_TRANSCRIPTION_MODEL: 'whisper',
      MEMOIR_TRANSCRIPTION_URL: 'https://speech.example/v1',
      MEMOIR_TRANSCRIPTION_API_KEY: 'sk-speech',
    };
    const { embedding, reading, transcription } = loadConfig(env);
    expect(embedding).toEqual({
      model: 'nomic',
      baseUrl: 'http://127.0.0.1:11434/v1',
      settings: { address: 'MEMOIR_EMBEDDING_URL', key: 'MEMOIR_EMBEDDING_API_KEY' },
    });
    expect(reading).toEqual({ model: 'reader', baseUrl: 'https://api.openai.com/v1', apiKey: 'sk-reader' });
    expect(transcription).toMatchObject({ baseUrl: 'https://speech.example/v1', apiKey: 'sk-speech' });
  });

  test('a service of its own is enough for a model, and without the model it has no effect', () => {
    const address = { MEMOIR_EMBEDDING_URL: 'http://127.0.0.1:1/v1' };
    expect(loadConfig({ ...address, MEMOIR_EMBEDDING_MODEL: 'm' }).embedding?.baseUrl).toBe(
      'http://127.0.0.1:1/v1',
    );
    expect(loadConfig(address).warnings).toEqual([
      'MEMOIR_EMBEDDING_URL has no effect without MEMOIR_EMBEDDING_MODEL.',
    ]);
  });

  test('a model on this machine, and the builtin embedder, need no service', () => {
    const local = loadConfig({ MEMOIR_EMBEDDING_MODEL: 'local:minilm' });
    expect([local.embedding, local.local.setting]).toEqual([null, 'minilm']);
    const builtin = loadConfig({ MEMOIR_EMBEDDING_MODEL: 'builtin' });
    expect([builtin.embedding, builtin.local.setting]).toEqual([null, '']);
  });

  test('the model that draws memories is named apart: neither brings the other along', () => {
    const env = { OPENAI_MODEL: 'reader', OPENAI_API_KEY: 'sk-x' };
    expect(loadConfig(env)).toMatchObject({
      embedding: null,
      reading: { model: 'reader', apiKey: 'sk-x', baseUrl: 'https://api.openai.com/v1' },
    });
    expect(loadConfig({ MEMOIR_EMBEDDING_MODEL: 'small', OPENAI_API_KEY: 'sk-x' }).reading).toBeNull();
    expect(() => loadConfig({ OPENAI_MODEL: 'reader' })).toThrow(/OPENAI_MODEL is "reader".*OPENAI_BASE_URL/);
  });
});

describe('servers of models on this machine', () => {
  const serversOf = (text: string) => loadConfig({ MEMOIR_LOCAL_SERVERS: text }).localServers;

  test('are named with their addresses, two of one kind apart, or none at all', () => {
    expect(serversOf('llamacpp=http://localhost:8080/, llamacpp-2=http://[::1]:8081')).toEqual([
      { name: 'llamacpp', address: 'http://localhost:8080' },
      { name: 'llamacpp-2', address: 'http://[::1]:8081' },
    ]);
    expect(serversOf('none')).toEqual([]);
  });

  test.each([
    ['of another machine', 'ollama=http://192.168.1.4:11434'],
    ['with a name that only looks like this machine', 'ollama=http://127.evil.example:11434'],
    ['behind encryption', 'ollama=https://127.0.0.1:11434'],
    ['below a path', 'ollama=http://127.0.0.1:11434/v1'],
    ['of an unknown kind', 'llamafile=http://127.0.0.1:8080'],
    ['without an address', 'ollama'],
    ['twice by one name', 'ollama=http://127.0.0.1:1,ollama=http://127.0.0.1:2'],
  ])('are refused %s', (_, text) => {
    expect(refusal({ MEMOIR_LOCAL_SERVERS: text })).toEqual([
      expect.stringMatching(
        /^MEMOIR_LOCAL_SERVERS cannot be ".*": expected none, or servers of this machine/,
      ),
    ]);
  });
});

describe('reading files', () => {
  test('the model that turns sound into text has a language of its own and the service of the others', () => {
    const service = { OPENAI_BASE_URL: 'http://127.0.0.1:9000/v1/', OPENAI_API_KEY: 'k' };
    const model = { MEMOIR_TRANSCRIPTION_MODEL: 'whisper-1' };
    expect(loadConfig({ ...service, ...model }).transcription).toEqual({
      model: 'whisper-1',
      baseUrl: 'http://127.0.0.1:9000/v1',
      apiKey: 'k',
    });
    const spoken = loadConfig({ ...service, ...model, MEMOIR_TRANSCRIPTION_LANGUAGE: 'de' });
    expect(spoken.transcription).toMatchObject({ language: 'de' });
    expect(loadConfig(service).transcription).toBeNull();
    expect(refusal(model)).toEqual([
      expect.stringMatching(/^MEMOIR_TRANSCRIPTION_MODEL is "whisper-1", but/),
    ]);
  });

  test.each(['eng,deu', 'eng+deu', 'eng deu', ' eng, deu '])(
    'languages of pictures are listed: %j',
    (given) => {
      expect(loadConfig({ MEMOIR_OCR_LANGUAGES: given }).ocrLanguages).toEqual(['eng', 'deu']);
    },
  );

  test('languages that are none are refused', () => {
    for (const given of ['English', 'en', 'eng,,', '../eng', 'a'.repeat(40)])
      expect(refusal({ MEMOIR_OCR_LANGUAGES: given })).toEqual([
        expect.stringMatching(/^MEMOIR_OCR_LANGUAGES cannot be .*: expected at most eight language codes/),
      ]);
  });
});

describe('the recognition of scans', () => {
  test('takes a number of workers and the path of a program, or none', () => {
    expect(loadConfig({}).ocr).toEqual({});
    expect(loadConfig({ MEMOIR_OCR_WORKERS: '4', MEMOIR_TESSERACT: '/opt/tesseract' }).ocr).toEqual({
      ...{ workers: 4, program: '/opt/tesseract' },
    });
    expect(loadConfig({ MEMOIR_TESSERACT: 'none' }).ocr).toEqual({ program: 'none' });
  });

  test('refuses no workers, and a program that is not named from the root on', () => {
    expect(refusal({ MEMOIR_OCR_WORKERS: '0' })).toEqual([
      expect.stringMatching(/^MEMOIR_OCR_WORKERS cannot be .*: expected a whole number from 1 to 16/),
    ]);
    expect(refusal({ MEMOIR_TESSERACT: 'bin/tesseract' })).toEqual([
      expect.stringMatching(/^MEMOIR_TESSERACT cannot be .*: expected the path of the program/),
    ]);
  });
});

describe('programs that are known beforehand', () => {
  const program = { clientId: 'my-app', name: 'My app', redirectUris: ['https://my-app.example/callback'] };

  test('are a JSON list', () => {
    const MEMOIR_OAUTH_CLIENTS = JSON.stringify([program]);
    expect(loadConfig({ MEMOIR_OAUTH_CLIENTS }).oauthClients).toEqual([program]);
  });

  test('are refused when they are something else, or one is named twice', () => {
    for (const given of ['my-app', '{}', '[{"clientId": "my-app"}]', JSON.stringify([program, program])])
      expect(refusal({ MEMOIR_OAUTH_CLIENTS: given })).toEqual([
        expect.stringMatching(/^MEMOIR_OAUTH_CLIENTS cannot be .*: expected a JSON list.*each clientId once/),
      ]);
  });
});

describe('the reranker', () => {
  test('is a service, whose model and key are optional, or none in the settings', () => {
    const url = 'http://127.0.0.1:8080/rerank';
    expect(loadConfig({ MEMOIR_RERANK_URL: url }).reranking).toEqual({ url });
    expect(
      loadConfig({ MEMOIR_RERANK_URL: url, MEMOIR_RERANK_MODEL: 'm', MEMOIR_RERANK_API_KEY: 'k' }).reranking,
    ).toEqual({ url, model: 'm', apiKey: 'k' });
    expect(loadConfig({}).reranking).toBeNull();
  });

  test('serves every search within a time that is set', () => {
    expect(loadConfig({}).rerankEverySearchMs).toBeNull();
    expect(loadConfig({ MEMOIR_RERANK_EVERY_SEARCH_MS: '300' }).rerankEverySearchMs).toBe(300);
    expect(refusal({ MEMOIR_RERANK_EVERY_SEARCH_MS: '0' }).join()).toContain(
      'MEMOIR_RERANK_EVERY_SEARCH_MS cannot be "0": expected a whole number from 10 to 60000.',
    );
  });

  test('is no longer named by a folder, and a start with that setting says what to do now', () => {
    expect(loadConfig({ MEMOIR_RERANK_FOLDER: ' ' }).warnings).toEqual([]);
    expect(loadConfig({ MEMOIR_RERANK_FOLDER: '/m' }).warnings).toEqual([
      'MEMOIR_RERANK_FOLDER has no effect any more, so remove it. A model for reranking is installed with "memoir models add <name> --from <folder>" and chosen with "memoir models use <name>"; docs/models.md says how to describe a model of your own.',
    ]);
  });
});

describe('proxies', () => {
  test('are addresses, networks and names of networks', () => {
    const given = 'loopback, 10.0.0.0/8,192.0.2.1 2001:db8::/32';
    expect(loadConfig({ MEMOIR_TRUSTED_PROXIES: given }).trustedProxies).toEqual([
      'loopback',
      '10.0.0.0/8',
      '192.0.2.1',
      '2001:db8::/32',
    ]);
  });

  test('are refused when they are something else', () => {
    for (const given of ['true', '1', 'proxy.example', '10.0.0.0/33', '10.0.0.0/8/8', '10.0.0/8', '::/129'])
      expect(refusal({ MEMOIR_TRUSTED_PROXIES: given })).toEqual([
        expect.stringMatching(/^MEMOIR_TRUSTED_PROXIES cannot be .*: expected addresses, networks as in/),
      ]);
  });
});

test('the memory for bodies holds the largest body at least', () => {
  expect(loadConfig({ MEMOIR_BODY_MEMORY_MIB: '64' }).bodyMemory).toBe(67_108_864);
  expect(refusal({ MEMOIR_BODY_MEMORY_MIB: '63' })).toHaveLength(1);
});

describe('warnings', () => {
  test('a variable whose name is nearly that of a setting is named with the setting', () => {
    const warnings = (env: NodeJS.ProcessEnv) => loadConfig(env).warnings;
    for (const [name, setting] of [
      ['MEMOIR_TRUSTED_PROXY', 'MEMOIR_TRUSTED_PROXIES'],
      ['MEMOIR_LOGLEVEL', 'MEMOIR_LOG_LEVEL'],
      ['MEMOIR_CHROMA_URL', 'CHROMA_URL'],
      ['MEMOIR_PORT', 'PORT'],
      ['MEMOIR_OPENAI_API_KEY', 'OPENAI_API_KEY'],
    ] as const)
      expect(warnings({ [name]: '7000' })).toEqual([
        `${name} is no setting, so it has no effect. Did you mean ${setting}?`,
      ]);
    expect(
      warnings({
        MEMOIR_URL: 'http://127.0.0.1:6767',
        MEMOIR_PORT: 'tcp://10.0.0.1:6767',
        MEMOIR_SERVICE_HOST: '10.0.0.1',
        MEMOIR_TEST_WHOLE: '1',
        MEMOIR_TRUSTED_PROXY: ' ',
      }),
    ).toEqual([]);
  });

  test('an address that others reach is worth one, unless the public address is set', () => {
    expect(loadConfig({ HOST: '0.0.0.0' }).warnings.join()).toContain('MEMOIR_BASE_URL');
    expect(loadConfig({ HOST: '0.0.0.0', MEMOIR_BASE_URL: 'http://m.example.org' }).warnings).toEqual([]);
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(loadConfig({ HOST: host }).warnings).toEqual([]);
    }
  });

  test('so is an https address without the proxy that makes it', () => {
    const behind = { MEMOIR_BASE_URL: 'https://m.example.org' };
    expect(loadConfig(behind).warnings.join()).toContain('Set MEMOIR_TRUSTED_PROXIES to its address');
    expect(loadConfig({ ...behind, MEMOIR_TRUSTED_PROXIES: 'loopback' }).warnings).toEqual([]);
  });

  test('so is a setting that has no effect', () => {
    expect(loadConfig({ MEMOIR_RERANK_MODEL: 'm' }).warnings).toEqual([
      'MEMOIR_RERANK_MODEL has no effect without MEMOIR_RERANK_URL.',
    ]);
    expect(loadConfig({ CHROMA_TOKEN: 't', MEMOIR_EMBEDDING_DIMENSIONS: '99' }).warnings).toEqual([
      'CHROMA_TOKEN has no effect without CHROMA_URL.',
      'MEMOIR_EMBEDDING_DIMENSIONS has no effect without MEMOIR_EMBEDDING_MODEL.',
    ]);
  });
});

describe('a database server', () => {
  const needed = {
    MEMOIR_DATABASE_URL: 'postgres://memoir@db.example/memoir',
    MEMOIR_SECRET_KEY: 'x'.repeat(32),
    CHROMA_URL: 'http://chroma.example:8000',
  };

  test('needs a secret key and a Chroma, and says which is missing', () => {
    expect(refusal({ MEMOIR_DATABASE_URL: needed.MEMOIR_DATABASE_URL })).toEqual([
      expect.stringMatching(/^MEMOIR_SECRET_KEY is needed with MEMOIR_DATABASE_URL: /),
      expect.stringMatching(/^CHROMA_URL is needed with MEMOIR_DATABASE_URL: /),
    ]);
  });

  test('gets its password from a setting or from a file, and the message about a wrong address hides it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'memoir-config-'));
    const file = join(folder, 'password');
    writeFileSync(file, 'p@ss%word\n');
    const { database } = loadConfig({ ...needed, MEMOIR_DATABASE_PASSWORD_FILE: file });
    expect(decodeURIComponent(new URL(database?.url ?? '').password)).toBe('p@ss%word');
    expect(database?.directUrl).toBe(database?.url);
    writeFileSync(file, '\n');
    expect(refusal({ ...needed, MEMOIR_DATABASE_PASSWORD_FILE: file })).toEqual([
      `MEMOIR_DATABASE_PASSWORD_FILE names the file ${file}, which is empty.`,
    ]);
    rmSync(folder, { recursive: true });
    expect(refusal({ ...needed, MEMOIR_DATABASE_PASSWORD_FILE: file })[0]).toContain('cannot be read');
    expect(refusal({ ...needed, MEMOIR_SECRET_KEY_FILE: file })).toEqual([
      'MEMOIR_SECRET_KEY and MEMOIR_SECRET_KEY_FILE are both set. Remove one of them.',
    ]);
    const [sentence] = refusal({ MEMOIR_DATABASE_URL: 'mysql://memoir:hidden@db.example/memoir' });
    expect(sentence).toContain('expected an address as in postgres://');
    expect(sentence).not.toContain('hidden');
  });
});
