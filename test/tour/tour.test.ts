// Every operation over REST answers as it did when the tour was recorded; only the words of messages may differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../tools/registry.generated.ts';
import { withoutWording } from './placeholders.ts';
import { type Entry, playTour } from './play.ts';
import { serveEmptyFolder, type TourServer } from './server.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const LIMIT_MS = 120_000;
const REFUSALS = [400, 401, 403, 404, 409, 429, 501];

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recording.json'), 'utf8')) as Entry[];

let server: TourServer;
beforeAll(async () => {
  server = await serveEmptyFolder(CHECKOUT);
});
afterAll(() => server.stop());

const byTitle = (entries: readonly Entry[]): Map<string, Entry> =>
  new Map(entries.map((entry) => [entry.title, entry]));

/** As text, so that the order of fields is compared as well. */
const asText = (entry: Entry | undefined): string => JSON.stringify(withoutWording(entry), null, 2) ?? '';

const recordedOperations = new Set(recorded.map(({ operation }) => operation));

test('every operation that was recorded is still in the registry', () => {
  const names = new Set<string | null>(operations.map(({ name }) => name));
  expect([...recordedOperations].filter((name) => name !== null && !names.has(name))).toEqual([]);
  const newer = operations.map(({ name }) => name).filter((name) => !recordedOperations.has(name));
  const added = newer.length === 0 ? '' : ` Newer than the recording: ${newer.join(', ')}.`;
  process.stdout.write(
    `The tour calls ${operations.length - newer.length} of ${operations.length} operations in ${recorded.length} requests.${added}\n`,
  );
});

test('the tour meets every kind of refusal, and no two requests share a title', () => {
  const statuses = new Set(recorded.map(({ status }) => status));
  expect(REFUSALS.filter((status) => !statuses.has(status))).toEqual([]);
  expect(byTitle(recorded).size).toBe(recorded.length);
});

test(
  'every answer is the recorded one, byte for byte',
  async () => {
    const played = byTitle(await playTour(server.url));
    for (const entry of recorded) expect(asText(played.get(entry.title)), entry.title).toBe(asText(entry));
    const titles = new Set(recorded.map(({ title }) => title));
    const added = [...played.values()].filter(({ title }) => !titles.has(title));
    expect(added.map(({ title }) => title)).toEqual([]);
  },
  LIMIT_MS,
);
