// Many changes of one fact at the same time over REST leave one that holds.
import { describe, expect } from 'vitest';
import { listMemories, PATH, recalled } from '../rest/support/tell.ts';
import { useMemoir } from '../rest/support/use-memoir.ts';
import { verifies } from '../spec/verifies.ts';

const api = useMemoir();

const FIFTY = Array.from({ length: 50 }, (_, at) => at);
/** In no order that arrival could have. */
const SHUFFLED = FIFTY.map((at) => (at * 37) % 50);

const day = (at: number): string => new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10);
const town = (at: number): string => `Town${String(at).padStart(2, '0')}`;

const addAll = async (tag: string, dateOf: (at: number) => string | undefined): Promise<void> => {
  const answers = await Promise.all(
    SHUFFLED.map((at) => {
      const date = dateOf(at);
      return api.post({
        content: `user: I live in ${town(at)}.`,
        containerTag: tag,
        ...(date === undefined ? {} : { metadata: { date } }),
      });
    }),
  );
  for (const { body } of answers) await api.memoir.remembered(body.id);
};

/** The chain is whole: each version names the one before, and one of them holds. */
const wholeChain = async (tag: string): Promise<string[]> => {
  const { memoryEntries } = await listMemories(api, tag);
  const [latest, ...others] = memoryEntries;
  expect(others.map(({ memory }) => memory)).toEqual([]);
  if (latest === undefined) throw new Error('Nothing is remembered.');
  const history = latest.history as unknown as (typeof latest)[];
  const versions = [...history.toReversed(), latest];
  expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => at + 1));
  expect(versions.map(({ parentMemoryId }) => parentMemoryId)).toEqual([
    null,
    ...versions.slice(0, -1).map(({ id }) => id),
  ]);
  expect(versions.filter(({ isLatest }) => isLatest)).toHaveLength(1);
  const found = await recalled(api, tag, 'Where does the user live?', { threshold: 0 });
  expect(found).toEqual([latest.memory]);
  return versions.map(({ memory }) => memory);
};

const inOrder = (template: (at: number) => string): string[] => FIFTY.map(template);

describe('fifty at once that change one fact', () => {
  verifies(
    ['memories:versions:one-latest', 'memories:versions:order'],
    'of fifty at once that change one fact on different days the latest holds, and all are in the order of their days',
    async () => {
      const tag = api.newTag();
      await addAll(tag, day);
      expect(await wholeChain(tag)).toEqual(inOrder((at) => `The user lives in ${town(at)}`));
    },
  );

  verifies(
    'memories:versions:one-latest',
    'of fifty at once that change one fact on the same day, or without one, one holds, and none is lost',
    async () => {
      for (const date of ['2023-05-08', undefined]) {
        const tag = api.newTag();
        await addAll(tag, () => date);
        const versions = await wholeChain(tag);
        expect(versions.toSorted()).toEqual(inOrder((at) => `The user lives in ${town(at)}`));
      }
    },
  );

  verifies(
    'memories:versions:one-latest',
    'fifty memories that change one fact, created directly at once, leave one that holds',
    async () => {
      const tag = api.newTag();
      const memories = (at: number) => [{ content: `I live in ${town(at)}.` }];
      const answers = await Promise.all(
        SHUFFLED.map((at) => api.ask('POST', PATH, { containerTag: tag, memories: memories(at) })),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      expect((await wholeChain(tag)).toSorted()).toEqual(inOrder((at) => `I live in ${town(at)}.`));
    },
  );
});
