// Tests of leases that did not reach the worker: a process that lives may not keep documents that it does not know of.
import { expect, onTestFinished, test } from 'vitest';
import type { Call, CommandHandlers } from '../../../server/lib/threads/rpc.ts';
import type { TestStore } from '../../support/store.ts';
import { everything, openWorld, submission, WIDE_SHARE } from './contract/world.ts';
import { openSqlite } from './open-sqlite.ts';

type Fault = 'answer lost' | 'written twice' | null;

/** The writer stores a lease, and then its answer is lost, or the write is repeated because nobody knows that it was stored. */
const openWithFaults = () => {
  let fault: Fault = null;
  const between =
    <Commands extends CommandHandlers>(call: Call<Commands>): Call<Commands> =>
    (command, ...args) => {
      const answer = call(command, ...args);
      if (fault === null || !/^lease/i.test(String(command))) return answer;
      const isTwice = fault === 'written twice';
      fault = null;
      return answer.then(() => {
        if (isTwice) return call(command, ...args);
        throw new Error('The connection was lost.');
      });
    };
  return {
    between,
    fail(next: Fault) {
      fault = next;
    },
  };
};

const openLosing = async () => {
  const { between, fail } = openWithFaults();
  const world = await openWorld((options) => openSqlite({ ...options, between }));
  onTestFinished(() => world[Symbol.asyncDispose]());
  return { world, fail };
};

const remembered = ({ remembering }: Pick<TestStore, 'remembering'>) => remembering.claimToRemember(10);

test('a document is claimed again after the answer to its lease was lost', async () => {
  const { world, fail } = await openLosing();
  await world.store.documents.submit(everything, [submission('An oak.'), submission('An elm.')]);
  fail('answer lost');
  await expect(world.ingest.claim('boot', WIDE_SHARE)).rejects.toThrow('The connection was lost');
  const claims = await world.ingest.claim('boot', WIDE_SHARE);
  expect(claims.map(({ content }) => content).sort()).toEqual(['An elm.', 'An oak.']);
});

test('a lease that was written twice hands its documents over', async () => {
  const { world, fail } = await openLosing();
  await world.store.documents.submit(everything, [submission('An oak.')]);
  fail('written twice');
  expect(await world.ingest.claim('boot', WIDE_SHARE)).toHaveLength(1);
});

test('a document that another worker took meanwhile stays with that worker', async () => {
  const { world, fail } = await openLosing();
  await world.store.documents.submit(everything, [submission('An oak.')]);
  fail('answer lost');
  await expect(world.ingest.claim('boot', WIDE_SHARE)).rejects.toThrow();
  expect(await world.ingest.takeOver('next')).toMatchObject({ resumed: 1 });
  expect(await world.ingest.claim('next', WIDE_SHARE)).toHaveLength(1);
  expect(await world.ingest.claim('next', WIDE_SHARE)).toEqual([]);
});

test('a document is read for memories again after the answer to its lease was lost', async () => {
  const { world, fail } = await openLosing();
  await world.add('Anna lives in Graz.');
  await world.index();
  fail('answer lost');
  await expect(remembered(world)).rejects.toThrow('The connection was lost');
  expect(await remembered(world)).toHaveLength(1);
});
