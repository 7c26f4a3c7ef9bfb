// Tests that opening a store of an older version finds the threads of its documents.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { Scope } from '../../../../../server/core/scope.ts';
import { newId } from '../../../../../server/lib/ids.ts';
import { openTestStore } from '../../../../support/store.ts';
import { submission } from '../../contract/world.ts';

const everything = Scope.mint(null, null);

test('older documents are found in their threads, all of them and once', async () => {
  const { store, ingest, file, close } = openTestStore();
  const metadata = (at: number) => (at % 3 === 0 ? { threadId: 'all' } : { at });
  const items = Array.from({ length: 1_200 }, (_, at) =>
    submission(`message ${at}`, { id: newId(), metadata: metadata(at), customId: `thread-${at % 2}:${at}` }),
  );
  await store.documents.submit(everything, items);
  const db = new DatabaseSync(file);
  const places = () => db.prepare('select doc, thread, number from thread_places order by doc').all();
  const before = places();
  expect(before).toHaveLength(1_200);
  db.exec(`delete from thread_places; insert into meta (key, value) values ('threads_unknown', '0')`);
  await ingest.takeOver('boot');
  expect(places()).toEqual(before);
  db.exec('delete from thread_places');
  await ingest.takeOver('next');
  expect(places()).toEqual([]);
  db.close();
  await close();
});
