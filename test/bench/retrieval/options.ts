// The options of `npm run bench:retrieval`.
import { parseArgs } from 'node:util';
import type { Method } from './measure.ts';

export interface Options {
  sets: readonly string[];
  method: Method;
  /** The address of a running Memoir; undefined: one is started for the run. */
  address: { url: string; key: string } | undefined;
  write: boolean;
}

export const USAGE = `npm run bench:retrieval -- --set SET [options]

  --set SET         locomo, locomo:dev, locomo:held, beam:100K, beam:100K/dev, beam:100K/held, scifact, cranfield,
                    cisi, longmemeval:mini, longmemeval:pool, longmemeval:FILE, languages, languages:dev, paraphrases, paraphrases:dev; several with
                    commas
  --mode MODE       hybrid (default), documents, memories, semantic, keyword
  --window N        neighbours on each side of a hit, 0-5; left out: as the service does by itself
  --limit N         results for each question, 10
  --rerank          rerank the results: with MEMOIR_RERANK_URL, or with the model that is chosen in MEMOIR_MODELS_DIR
  --per-turn        every message is a document of its own
  --format FORMAT   lines (default) or json: how a conversation is written
  --questions N     only the first N of each space
  --url URL --key KEY   measure this Memoir (on this machine) in place of one that is started for the run
  --write           also put the figures into docs/retrieval.md`;

const MODES = ['hybrid', 'documents', 'memories', 'semantic', 'keyword'];
const LOOPBACK = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/;

function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,4}$/.test(text)) throw new Error(`--${name} takes a number, not "${text}".`);
  return Number(text);
}

function oneOf<Name extends string>(option: string, text: string, names: readonly Name[]): Name {
  const name = names.find((one) => one === text);
  if (name === undefined) throw new Error(`--${option} takes one of ${names.join(', ')}, not "${text}".`);
  return name;
}

function addressOf(url: string | undefined, key: string | undefined): Options['address'] {
  if (url === undefined) return undefined;
  if (!LOOPBACK.test(url)) throw new Error('--url takes the address of a Memoir on this machine only.');
  if (key === undefined) throw new Error('--url needs --key as well.');
  return { url, key };
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      set: { type: 'string' },
      mode: { type: 'string', default: 'hybrid' },
      window: { type: 'string' },
      limit: { type: 'string', default: '10' },
      rerank: { type: 'boolean', default: false },
      'per-turn': { type: 'boolean', default: false },
      format: { type: 'string', default: 'lines' },
      questions: { type: 'string' },
      url: { type: 'string' },
      key: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  if (values.set === undefined) throw new Error(`Which set is to be measured?\n\n${USAGE}`);
  return {
    sets: values.set.split(',').map((name) => name.trim()),
    method: {
      mode: oneOf('mode', values.mode, MODES),
      window: wholeNumber('window', values.window),
      limit: wholeNumber('limit', values.limit) ?? 10,
      rerank: values.rerank,
      perTurn: values['per-turn'],
      format: oneOf('format', values.format, ['lines', 'json'] as const),
      questions: wholeNumber('questions', values.questions),
    },
    address: addressOf(values.url, values.key),
    write: values.write,
  };
}
