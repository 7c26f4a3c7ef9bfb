// Tests of leases that two processes take, end or give back at the same moment. Each names what it depends on.
import { expect, test } from 'vitest';
import {
  endRun,
  giveBackConnection,
  leaseRun,
} from '../../../../server/adapters/store/queries/connections/runs.ts';
import { leaseDocuments, releaseClaims } from '../../../../server/adapters/store/queries/ingestion/claim.ts';
import { claimMail, giveBackMail } from '../../../../server/adapters/store/queries/team/mails.ts';
import { COMPLETED, connect, lease, MINUTE } from '../contract/connections/support.ts';
import { migratedPostgres } from '../open-postgres.ts';
import { openTwoWriters } from './two-writers.ts';
import { describeOnPostgres } from './with-postgres.ts';

await describeOnPostgres('two leases at the same moment', migratedPostgres, (postgres) => {
  test('a run that ends is not begun anew by a process that saw it due before [one statement]', async () => {
    await using opened = await openTwoWriters(postgres);
    const id = await connect(opened.world);
    const held = await lease(opened.world);
    const later = opened.world.clock.now() + MINUTE;
    const { second, waited } = await opened.race(
      (tx) => endRun(tx, held, { ...COMPLETED, nextLookAt: later + MINUTE }, later),
      (tx) => leaseRun(tx, id, { lease: 'other~1', forMs: MINUTE }, later),
    );
    expect([waited, second]).toEqual([true, null]);
    expect(await opened.rows('select lease from connections')).toEqual([{ lease: null }]);
  });

  test('a lease that is given back while its write still ends is given back [the row, and documents]', async () => {
    await using opened = await openTwoWriters(postgres);
    const { world } = opened;
    const now = world.clock.now();
    const fresh = { boot: 'x', lease: 'x~1' };
    const named = { lease: 'x~1', forMs: MINUTE };
    await world.add('one');
    const [{ n } = { n: 0 }] = await opened.rows('select n::int from documents');
    const documents = await opened.race(
      (tx) => leaseDocuments(tx, fresh, [Number(n)]),
      (tx) => releaseClaims(tx, [{ n: Number(n), lease: fresh.lease }]),
    );
    const id = await connect(world);
    const runs = await opened.race(
      (tx) => leaseRun(tx, id, named, now),
      (tx) => giveBackConnection(tx, id, named.lease),
    );
    await world.store.mails.queue({ id: 'mail', kind: 'test', to: 'ada@example.org', content: {} });
    const mails = await opened.race(
      (tx) => claimMail(tx, 'mail', named, now),
      (tx) => giveBackMail(tx, 'mail', named.lease),
    );
    expect([documents, runs, mails].map(({ waited }) => waited)).toEqual([true, true, true]);
    for (const table of ['documents', 'connections', 'mails'])
      expect(await opened.rows(`select lease from ${table}`)).toEqual([{ lease: null }]);
    expect(await opened.rows('select attempts::int, lease_until::int from mails')).toEqual([
      { attempts: 0, lease_until: 0 },
    ]);
  });
});
