// Records the tour: node test/tour/record.ts <checkout> [file]. Without a file it writes recording.json beside it.
// It names the operations of that checkout's registry that the tour does not call.
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Operation } from '../../tools/operation.ts';
import { playTour } from './play.ts';
import { serveEmptyFolder } from './server.ts';

const [checkout, file = join(import.meta.dirname, 'recording.json')] = process.argv.slice(2);
if (checkout === undefined) throw new Error('Name the checkout whose server is to be recorded.');

const namesOf = async (root: string): Promise<string[]> => {
  const registry = pathToFileURL(join(root, 'tools', 'registry.generated.ts')).href;
  const { operations } = (await import(registry)) as { operations: readonly Operation[] };
  return operations.map(({ name }) => name);
};

const server = await serveEmptyFolder(resolve(checkout));
try {
  const entries = await playTour(server.url);
  const called = new Set(entries.map(({ operation }) => operation));
  const missing = (await namesOf(resolve(checkout))).filter((name) => !called.has(name));
  writeFileSync(file, `${JSON.stringify(entries, null, 2)}\n`);
  process.stdout.write(`${entries.length} answers are recorded in ${file}.\n`);
  if (missing.length > 0) process.stdout.write(`The tour does not call: ${missing.join(', ')}.\n`);
} finally {
  await server.stop();
}
