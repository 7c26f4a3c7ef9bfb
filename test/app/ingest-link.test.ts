// Tests of the way from the writer thread to the ingest thread: a statement is read by the thread that runs.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import {
  createIngestLink,
  type IngestLink,
  type ReadingCommands,
} from '../../server/app/writer-thread/ingest-link.ts';
import { serveCalls } from '../../server/lib/threads/rpc.ts';

const links: IngestLink[] = [];
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});

const open = (): IngestLink => {
  const link = createIngestLink();
  links.push(link);
  return link;
};

/** Attaches a thread that answers so, and returns its end of the way. */
const attach = (link: IngestLink, readStatements: ReadingCommands['readStatements']): MessagePort => {
  const { port1, port2 } = new MessageChannel();
  serveCalls<ReadingCommands>(port2, { readStatements });
  link.attach(port1);
  return port2;
};

const named =
  (name: string): ReadingCommands['readStatements'] =>
  async (statements) =>
    statements.map((statement) => ({ fact: null, aliases: [[name, statement]] }));

test('a statement that is asked for before the thread runs is read when it runs', async () => {
  const link = open();
  const asked = link.readStatements(['Anna sails']);
  attach(link, named('first'));
  expect(await asked).toEqual([{ fact: null, aliases: [['first', 'Anna sails']] }]);
});

test('a statement whose thread ended while it read is read by the next one', async () => {
  const link = open();
  const reading = Promise.withResolvers<void>();
  const first = attach(link, () => {
    reading.resolve();
    return new Promise(() => {});
  });
  const asked = link.readStatements(['Anna sails']);
  await reading.promise;
  first.close();
  attach(link, named('second'));
  expect(await asked).toEqual([{ fact: null, aliases: [['second', 'Anna sails']] }]);
});

test('a statement that no thread can read fails after three threads', async () => {
  const link = open();
  let asked = 0;
  attach(link, async () => {
    asked += 1;
    throw new Error('out of memory');
  });
  await expect(link.readStatements(['Anna sails'])).rejects.toThrow('out of memory');
  expect(asked).toBe(3);
});
