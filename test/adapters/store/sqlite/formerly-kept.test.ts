// Tests of folders from before: decided submissions that were kept with their content give it up, in slices.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openTestStore } from '../../../support/store.ts';
import { everything, submission } from '../contract/world.ts';

test('what an earlier release kept of decided submissions is erased in slices, and nothing else is', async () => {
  const world = openTestStore();
  try {
    for (const customId of ['a', 'b'])
      await world.store.documents.submit(everything, [submission('first', { customId })]);
    const db = new DatabaseSync(world.file);
    const insert = db.prepare(
      `insert into submissions (doc, revision, mode, content, hash, decision, created_at)
         values (1, 2, 'merge', ?, 'hash', ?, 0)`,
    );
    const large = 'x'.repeat(3_000_000);
    for (const decision of ['replaced', 'appended', 'superset']) insert.run(large, decision);
    insert.run('waits', null);
    insert.run('https://unreadable.example', 'unreadable');
    db.exec("insert into meta (key, value) values ('decided_submissions', '0')");
    const left = () => db.prepare('select count(*) as n from submissions where content is not null').get()?.n;

    const seen: unknown[] = [left()];
    while (await world.ingest.eraseFormerlyKept()) seen.push(left());
    expect(seen).toEqual([5, 4, 3, 2]);
    expect(await world.ingest.needsScrub()).toBe(true);
    expect(await world.ingest.eraseFormerlyKept()).toBe(false);
    expect(db.prepare('select content from submissions where content is not null order by n').all()).toEqual([
      { content: 'waits' },
      { content: 'https://unreadable.example' },
    ]);
    db.close();
  } finally {
    await world.close();
  }
});
