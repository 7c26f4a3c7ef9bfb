// How fast a reader reads, in this process and without the service: the reader of this checkout or of another one.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type {
  MemoryReader,
  ReadRequest,
} from '../../../server/adapters/language-model/ports/memory-reader.ts';
import { finish } from '../../../server/lib/async/steps.ts';
import { loadSet } from '../retrieval/sets/load.ts';
import { textOf } from '../support/texts.ts';

const TEXTS = 2000;
const CHARACTERS = 1000;
const WARM_UP = 300;
const MICROSECONDS = 1e6;

type Source = Pick<ReadRequest['fresh'][number], 'text' | 'role' | 'speaker'>;

const requestOf = ({ text, role, speaker }: Source, conversation: boolean): ReadRequest => ({
  fresh: [{ text, role, speaker, position: 0, date: null }],
  around: [],
  conversation,
  title: null,
  documentDate: Date.UTC(2023, 4, 8),
  guidance: { entityContext: [], filterPrompt: null, includeItems: [], excludeItems: [] },
  served: [],
  known: [],
});

const readerIn = async (checkout: string): Promise<MemoryReader> => {
  const path = join(checkout, 'server', 'domain', 'memories', 'rules', 'reader.ts');
  const module = (await import(pathToFileURL(path).href)) as { createRulesReader: () => MemoryReader };
  return module.createRulesReader();
};

async function readAll(reader: MemoryReader, requests: readonly ReadRequest[]): Promise<number> {
  let memories = 0;
  for (const request of requests) {
    finish(reader.lookupFor(request));
    memories += (await reader.read(request)).memories.length;
  }
  return memories;
}

async function measure(what: string, reader: MemoryReader, requests: readonly ReadRequest[]): Promise<void> {
  await readAll(reader, requests.slice(0, WARM_UP));
  const before = process.cpuUsage();
  const started = performance.now();
  const memories = await readAll(reader, requests);
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  const perSecond = requests.length / seconds;
  const perCpuSecond = requests.length / ((user + system) / MICROSECONDS);
  console.log(
    `${what}: ${requests.length} documents, ${perSecond.toFixed(0)}/s, ${perCpuSecond.toFixed(0)} per CPU second, ${memories} memories`,
  );
}

export async function measureSpeed(checkout: string): Promise<void> {
  const reader = await readerIn(checkout);
  const turns = loadSet('locomo:dev').spaces.flatMap(({ documents }) =>
    documents.flatMap((document) => document.turns),
  );
  const texts = Array.from({ length: TEXTS }, (_, at) => ({
    text: textOf(at, CHARACTERS),
    ...{ role: null, speaker: null },
  }));
  const said = turns.map(({ text, speaker }) => requestOf({ text, role: null, speaker }, true));
  await measure('turns of LoCoMo', reader, said);
  await measure(
    'texts of the bench',
    reader,
    texts.map((text) => requestOf(text, false)),
  );
}
