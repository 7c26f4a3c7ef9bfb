// Compacting the database over REST: its progress, and that reads and writes meanwhile lose nothing.
import { expect } from 'vitest';
import { verifies } from '../spec/verifies.ts';
import { found } from '../support/until.ts';
import { useMemoir } from './support/use-memoir.ts';

const api = useMemoir();

interface Storage {
  bytes: number;
  freeBytes: number;
  compacting: { step: string; done: number; total: number } | null;
  trouble: string | null;
}

const storage = async () => (await api.ask<Storage>('GET', '/v3/storage')).body;

verifies(
  ['storage:compact:progress', 'storage:space:given-back'],
  'the database is compacted while callers go on, and what they send meanwhile is stored',
  async () => {
    const containerTag = api.newTag();
    await api.add({ content: 'The heron waits.', containerTag });
    const started = await api.ask<Storage>('POST', '/v3/storage/compact');
    expect(started).toMatchObject({ status: 202, body: { bytes: expect.any(Number) } });
    const meanwhile = api.add({ content: 'The egret flies.', containerTag });
    expect(await api.found('heron', containerTag)).toEqual(['The heron waits.']);
    const after = await found('the end of compacting', async () => {
      const now = await storage();
      return now.compacting === null ? now : null;
    });
    expect(after).toMatchObject({ trouble: null });
    expect(after.freeBytes).toBeLessThanOrEqual(after.bytes);
    expect(await meanwhile).toMatchObject({ status: 'done' });
    expect(await api.found('egret', containerTag)).toEqual(['The egret flies.']);
  },
);
