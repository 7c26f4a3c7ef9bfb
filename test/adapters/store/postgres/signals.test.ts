// Tests of the signals between processes.
import { expect, test } from 'vitest';
import { openSignals } from '../../../../server/adapters/store/postgres/processes/signals.ts';
import { until } from '../../../support/until.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('a signal', migratedPostgres, (postgres) => {
  test('reaches the other processes, whatever an id of a caller holds', async () => {
    const url = await postgres.take();
    const failures: unknown[] = [];
    const open = (process: string) => openSignals({ url, process, failed: (error) => failures.push(error) });
    const [one, other] = [open('one'), open('other')];
    await until('the connections', async () => one.hears() && other.hears());
    const heard: string[] = [];
    other.on('key', (id) => heard.push(id));
    one.tell('key', 'a\0b');
    one.tell('key', 'the last');
    await until('the last signal', async () => heard.includes('the last'));
    expect(heard).toEqual(['ab', 'the last']);
    expect(failures).toEqual([]);
    await Promise.all([one.close(), other.close()]);
    await postgres.giveBack(url);
  });
});
