// Durable adds through the writer thread alone: no HTTP, nothing is read or indexed. Prints how many it stored in a second,
// and the processor time of each thread for one of them in microseconds, as JSON.
import { join } from 'node:path';
import type { Submission } from '../../../server/adapters/store/ports/documents.ts';
import { startWriterThread } from '../../../server/app/writer-thread/handle.ts';
import type { Reach } from '../../../server/core/scope.ts';
import { sha256 } from '../../../server/lib/hash.ts';
import { newId } from '../../../server/lib/ids.ts';
import { newFolder, removeFolder } from './memoir.ts';
import { threadsMs } from './process.ts';
import { textOf } from './texts.ts';

export interface WriterAlone {
  rate: number;
  threads: Record<string, number>;
}

const [connections, seconds, characters, tags] = process.argv.slice(2).map(Number) as [
  number,
  number,
  number,
  number,
];
const REACH: Reach = { reads: null, holds: null };
const WARM_UP_SECONDS = 0.7;

let number = 0;
const submission = (): Submission => {
  number += 1;
  const content = textOf(number, characters);
  return {
    ...{ id: newId(), customId: null, tags: [`person_${number % tags}`], defaultTags: [] },
    ...{ content, hash: sha256(content), type: 'text', replace: false, metadata: null, title: null },
    ...{ filepath: null, url: null, source: null, taskType: 'superrag', dreaming: null },
    ...{ entityContext: null, sentBy: 'bench' },
  };
};

const dir = newFolder();
const writer = startWriterThread({ file: join(dir, 'memoir.db'), groupCommit: true }, (reason) => {
  throw reason;
});

const burst = async (length: number): Promise<{ stored: number; rate: number }> => {
  const begun = performance.now();
  let stored = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - begun < length * 1000) {
      const [answer] = await writer.call('submit', REACH, [submission()]);
      if (answer?.outcome !== 'accepted') throw new Error('An add was not stored.');
      stored += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, loop));
  return { stored, rate: (stored * 1000) / (performance.now() - begun) };
};

try {
  await burst(WARM_UP_SECONDS);
  const before = threadsMs(process.pid);
  const { stored, rate } = await burst(seconds);
  const threads = [...threadsMs(process.pid)].map(
    ([name, ms]) => [name, ((ms - (before.get(name) ?? 0)) * 1000) / stored] as const,
  );
  console.log(JSON.stringify({ rate, threads: Object.fromEntries(threads) } satisfies WriterAlone));
} finally {
  await writer.stop();
  removeFolder(dir);
}
