// Forgetting one memory over REST: by a call, or when its time is over.
import { describe, expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { untilPast } from '../support/until.ts';
import { listMemories, PATH, recalled, tell } from './support/tell.ts';
import { type Refusal, useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

const forget = (body: object) => api.ask<{ id: string; forgotten: boolean } & Refusal>('DELETE', PATH, body);

describe('forgetting a memory', () => {
  verifies(
    ['memories:forget:one', 'memories:forgetting:soft'],
    'forgetting a memory takes it out of searches and leaves it in the list, marked',
    async () => {
      const tag = api.newTag();
      const { id } = await tell(api, tag, 'Ada prefers tea.');
      const { status, body } = await forget({
        containerTag: tag,
        content: 'Ada prefers tea.',
        reason: 'Wrong',
      });
      expect([status, body]).toEqual([200, { id, forgotten: true }]);
      expect(await recalled(api, tag, 'Ada prefers tea.')).toEqual([]);
      const include = { forgottenMemories: true };
      expect(await recalled(api, tag, 'Ada prefers tea.', { include })).toEqual(['Ada prefers tea.']);
      expect(await listMemories(api, tag)).toMatchObject({
        memoryEntries: [{ id, isForgotten: true, isLatest: true, forgetReason: 'Wrong' }],
      });
    },
  );

  verifies(
    'memories:forget:again',
    'forgetting a memory twice fails with 409, and is not tried again',
    async () => {
      const tag = api.newTag();
      const { id } = await tell(api, tag, 'Ada prefers tea.');
      const expired = await tell(api, tag, 'Over.', { forgetAfter: '2020-01-01T00:00:00Z' });
      await forget({ containerTag: tag, id });
      for (const target of [{ id }, { content: 'Ada prefers tea.' }, { id: expired.id }]) {
        const answer = await forget({ containerTag: tag, ...target });
        expect([answer.status, answer.headers.get('x-should-retry')]).toEqual([409, 'false']);
        expect(answer.body.error).toContain('forgotten already');
      }
      const again = await tell(api, tag, 'Ada prefers tea.');
      expect(again.id).not.toBe(id);
      expect((await forget({ containerTag: tag, content: 'Ada prefers tea.' })).body.id).toBe(again.id);
    },
  );

  verifies(
    'memories:forget-after:day',
    'forgetting after a date leaves the memory for the whole of that day',
    async () => {
      const tag = api.newTag();
      const today = new Date().toISOString().slice(0, 10);
      const told = await tell(api, tag, 'Ada meets Ben today.', { forgetAfter: today });
      expect(Date.parse(told.forgetAfter ?? '') - Date.parse(today)).toBe(86_400_000);
      const exact = await tell(api, tag, 'Ada met Cleo.', { forgetAfter: `${today}T00:00:00` });
      expect(exact.forgetAfter).toBe(`${today}T00:00:00.000Z`);
    },
  );

  verifies(
    ['memories:forget-after:expires', 'memories:forgotten:excluded'],
    'a memory is forgotten by itself when its time is over, at the moment of the question',
    async () => {
      const tag = api.newTag();
      const forgetAfter = new Date(Date.now() + 2_000).toISOString();
      await tell(api, tag, 'Ada prefers tea.', { forgetAfter });
      expect(await recalled(api, tag, 'Ada prefers tea.')).toEqual(['Ada prefers tea.']);
      await untilPast(Date.parse(forgetAfter));
      expect(await recalled(api, tag, 'Ada prefers tea.')).toEqual([]);
      expect(await listMemories(api, tag)).toMatchObject({ memoryEntries: [{ isForgotten: true }] });
    },
  );
});
