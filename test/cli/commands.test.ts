// Commands against a server that runs, found through the data folder or by its address.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { answerOf, newPlace, type Place, run, type Server, serve } from './memoir-process.ts';

// Each test starts several processes, and machines that build have other work as well.
vi.setConfig({ testTimeout: 60_000 });

let place: Place;
let server: Server;

beforeAll(async () => {
  place = newPlace();
  server = await serve(place);
});

afterAll(async () => {
  await server.stop();
  place.remove();
});

interface Found {
  results: { chunk?: string; memory?: string; similarity: number; documents: { title: string | null }[] }[];
}

const found = async (...args: string[]): Promise<string[]> => {
  const { results } = await answerOf<Found>(['search', ...args], place);
  return results.map(({ chunk, memory }) => chunk ?? memory ?? '');
};

describe('add and search', () => {
  test('a text is added at once, and with --wait it is found', async () => {
    const queued = await run(['add', 'The lighthouse keeper is called Mara.', '--tag', 'coast'], place);
    expect(queued).toMatchObject({ code: 0, stderr: '' });
    expect(queued.stdout).toMatch(/^Added the text as \w{22}; the server processes it in the background/);

    const done = await answerOf(['add', 'Mara feeds two cats.', '--tag', 'coast', '--wait'], place);
    expect(done).toMatchObject({ status: 'done', id: expect.stringMatching(/^\w{22}$/) });
    expect((await found('who feeds the cats?', '--tag', 'coast')).join()).toContain('Mara feeds two cats');
  });

  test('a file brings its own title, standard input the one that is given', async () => {
    writeFileSync(join(place.cwd, 'recipe.md'), '# Saffron bread\n\nKnead for ten minutes.');
    await answerOf(['add', 'recipe.md', '--tag', 'kitchen', '--wait'], place);
    await answerOf(['add', '-', '--tag', 'kitchen', '--title', 'Shopping', '--wait'], {
      ...place,
      input: 'Buy saffron on Friday.',
    });
    const { results } = await answerOf<Found>(['search', 'saffron', '--tag', 'kitchen'], place);
    expect(results.map(({ documents }) => documents[0]?.title).sort()).toEqual(['Saffron bread', 'Shopping']);
  });

  test('a fact is remembered in place of what the text would give', async () => {
    const facts = ['--fact', 'Mara collects shells', '--fact', 'Mara swims in May'];
    await answerOf(['add', 'I live in Ghent.', '--tag', 'shore', '--wait', ...facts], place);
    const remembered = await found('Mara', '--tag', 'shore', '--mode', 'memories');
    expect(remembered.sort()).toEqual(['Mara collects shells', 'Mara swims in May']);
    const changed = await run(['add', 'A walk.', '--tag', 'shore', '--fact', 'Mara collects stones'], place);
    expect(changed.stdout).toMatch(/These memories stay as they are:\n {2}\w{22} {2}Mara collects shells\n/);
    const folder = await run(['add', '.', '--fact', 'Mara reads'], place);
    expect(folder).toMatchObject({ code: 2, stderr: expect.stringContaining('--fact is for one document') });
  });

  test('the same custom id is the same document', async () => {
    const args = ['--custom-id', 'opening-hours', '--tag', 'office', '--wait'];
    const first = await answerOf(['add', 'The office opens at nine.', ...args], place);
    const again = await answerOf(['add', 'The office opens at nine.', ...args], place);
    expect(again.id).toBe(first.id);
    const told = await run(['add', 'The office opens at nine.', ...args.slice(0, -1)], place);
    expect(told.stdout).toBe(`Nothing to do: the text is stored already as ${first.id}.\n`);
  });

  test('metadata filters, and a number is stored as a number', async () => {
    const facts = [
      ['--metadata', 'year=2024'],
      ['--metadata', 'year=2025'],
    ];
    for (const [at, fact] of facts.entries())
      await answerOf(['add', `Harvest report number ${at}`, '--tag', 'farm', '--wait', ...fact], place);
    expect(await found('harvest report', '--filter', 'year=2025', '--threshold', '0')).toEqual([
      'Harvest report number 1',
    ]);
  });

  test('results are ranked passages for people', async () => {
    const { stdout, code } = await run(
      ['search', 'lighthouse keeper Mara', '--tag', 'coast', '-n', '1'],
      place,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^1\. \d+ % {2}.*\d{4}-\d\d-\d\d · \w{22}\n {3}The lighthouse keeper/);
  });

  test('with --explain each result says what it is made of, and an id why it is missing', async () => {
    const about = await answerOf(['add', 'The harbour master sleeps.', '--tag', 'coast', '--wait'], place);
    const { stdout } = await run(
      [
        ...['search', 'lighthouse keeper Mara', '--tag', 'coast', '--threshold', '0.7'],
        ...['--explain', '--explain-id', String(about.id)],
      ],
      place,
    );
    expect(stdout).toMatch(/ {3}words [01](\.\d+)?: body [01](\.\d+)?.*\(.*mara 0\.\d+/);
    expect(stdout).toMatch(/ {3}meaning 0?\.?\d*: cosine/);
    expect(stdout).toMatch(/ {3}evidence \d\.\d+, similarity/);
    expect(stdout).toContain('left after each step: read');
    expect(stdout).toContain(`document ${about.id} is not among the results:\n- Its similarity is below`);
    const plain = await run(['search', 'lighthouse keeper Mara', '--tag', 'coast'], place);
    expect(plain.stdout).not.toContain('evidence');
  });

  test('what could not be done as asked is said beside the answer', async () => {
    const { stdout, stderr, code } = await run(
      ['search', 'keeper Mara', '--tag', 'coast', '--rerank', '--rewrite'],
      place,
    );
    expect([code, stdout.startsWith('1. ')]).toEqual([0, true]);
    expect(stderr).toContain('no reranker is set');
    expect(stderr).toContain('no language model is set');
  });

  test('when nothing is found, it says what to try, and that is no failure', async () => {
    const { stdout, code } = await run(
      ['search', 'quantum zebra', '--tag', 'coast', '--mode', 'keyword'],
      place,
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing found\.\n- .*--threshold.*\n- --mode hybrid.*\n- Without --tag/);
  });

  test('when nothing matches well enough, it shows the nearest with their similarity', async () => {
    const { stdout, code } = await run(['search', 'when did Napoleon die', '--tag', 'coast'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Nothing matches well enough\. The nearest:\n\n1\. \d+ %/);
    expect(stdout).toContain('Mara');
    expect(stdout).toContain('A lower --threshold shows weaker matches');
    const asked = await answerOf<Found>(['search', 'when did Napoleon die', '--tag', 'coast'], place);
    expect(asked.results).toEqual([]);
  });

  test('a document that fails ends the waiting command with 1 and the reason', async () => {
    const failed = await run(['add', 'http://127.0.0.1:9/page', '--wait', '--json'], place);
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/\w+ .*\./),
    });
  });

  test('what the server refuses is told in its words', async () => {
    const refused = await run(['add', 'x', '--custom-id', 'bulk'], place);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('customId');
  });
});

describe('keys', () => {
  interface Key {
    id: string;
    key: string;
  }

  test('a key bound to a tag works by address, within its tag alone, until it is disabled', async () => {
    const { id, key } = await answerOf<Key>(['keys', 'create', '--tag', 'guest', '--name', 'visitor'], place);
    const elsewhere = newPlace();
    try {
      const env = { MEMOIR_URL: server.url, MEMOIR_API_KEY: key };
      const there = { cwd: elsewhere.cwd, env };
      await answerOf(['add', 'The guest likes oysters.', '--wait'], there);
      expect((await answerOf<Found>(['search', 'oysters'], there)).results).toHaveLength(1);

      const denied = await run(['search', 'cats', '--tag', 'coast'], there);
      expect(denied.code).toBe(1);
      expect(denied.stderr).toContain('"guest"');
      expect(await run(['keys', 'list'], there)).toMatchObject({ code: 1 });
      const status = await run(['status'], there);
      expect(status.stdout).toContain('not shown to this key');
      expect(await run(['doctor'], there)).toMatchObject({ code: 1 });

      await answerOf(['keys', 'disable', id], place);
      const gone = await run(['search', 'oysters', '--json'], there);
      expect(gone.code).toBe(1);
      expect(JSON.parse(gone.stdout)).toMatchObject({
        status: 401,
        error: expect.stringContaining('disabled'),
      });
    } finally {
      elsewhere.remove();
    }
  });

  test('a key is changed and rotated, and its program goes on with the new one', async () => {
    const { id } = await answerOf<Key>(['keys', 'create', '--name', 'laptop'], place);
    const changed = await run(
      ['keys', 'change', id, '--tag', 'guest', '--permission', 'read', '--expires-in-days', '9'],
      place,
    );
    expect(changed.stdout).toMatch(
      new RegExp(
        `^Changed the key ${id} \\(laptop\\)\\. It may read in guest and expires \\d{4}-\\d\\d-\\d\\d\\.\n$`,
      ),
    );
    const open = await answerOf(['keys', 'change', id, '--all-tags', '--expires-in-days', 'never'], place);
    expect(open).toMatchObject({ containerTags: null, expiresAt: null, permission: 'read' });
    const rotated = await answerOf<Key & { replaces: string }>(
      ['keys', 'rotate', id, '--overlap-hours', '0'],
      place,
    );
    expect(rotated.replaces).toBe(id);
    const env = { MEMOIR_URL: server.url, MEMOIR_API_KEY: rotated.key };
    expect(await run(['status'], { cwd: place.cwd, env })).toMatchObject({ code: 0 });
  });

  test('a change without a change, and a wrong number, are told before anything is asked', async () => {
    expect(await run(['keys', 'change', 'x'], place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing is to be changed. Give --name'),
    });
    expect(await run(['keys', 'change', 'x', '--rate-limit', 'lots'], place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use a whole number from 1 to 10000, or none.'),
    });
  });

  test('a quota is set, listed and taken away again', async () => {
    const { id } = await answerOf<Key>(['keys', 'create', '--name', 'counted'], place);
    const set = (...limits: string[]) => run(['quotas', 'set', '--key', id, ...limits], place);
    expect((await set('--documents-per-day', '9', '--searches-per-day', '7')).stdout).toContain(
      'has the quota documentsPerDay: 9.',
    );
    expect((await run(['quotas', 'list'], place)).stdout).toContain('searchesPerDay');
    expect((await set('--documents-per-day', 'none')).stdout).toBe(
      `The key ${id} has the quota searchesPerDay: 7.\n`,
    );
    expect(await set('--searches-per-day', 'none')).toMatchObject({ code: 0, stdout: 'No quota is left.\n' });
    expect(await set('--searches-per-day', 'few')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Use a whole number from 0 to 1000000000000, or none.'),
    });
  });

  test('the list shows what each may do, and no key', async () => {
    const { key } = await answerOf<Key>(
      ['keys', 'create', '--permission', 'read', '--expires-in-days', '3'],
      place,
    );
    const { stdout } = await run(['keys', 'list'], place);
    expect(stdout).toMatch(/^ID +STATE +MAY +IN/);
    expect(stdout).toMatch(/ends in 3 days, nobody told +read +everything/);
    expect(stdout).not.toContain(key);
  });
});

describe('looking after it', () => {
  test('status shows address, counts, queue, space and parts', async () => {
    const status = await answerOf(['status'], place);
    expect(status).toMatchObject({
      url: server.url,
      health: { ready: true, parts: { chroma: { status: 'ok' } } },
      counts: { documents: expect.any(Number), queued: expect.any(Number), failed: expect.any(Number) },
      space: { active: { embedder: 'builtin', dimensions: 384 }, reindexNeeded: false },
      usage: { inputTokens: 0, outputTokens: 0 },
    });
    const { stdout } = await run(['status'], place);
    expect(stdout).toContain(server.url);
    expect(stdout).toMatch(/embeddings +builtin/);
    expect(stdout).toMatch(/tokens +0 read, 0 written by language models/);
  });

  test('doctor tries everything, leaves nothing behind, and says that nobody is told of a key that ends', async () => {
    await answerOf(['keys', 'create', '--permission', 'read', '--expires-in-days', '3'], place);
    const { code, stdout } = await run(['doctor'], place);
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      last: 'All checks passed.',
    });
    expect(stdout).toContain(`held by the server at ${server.url}`);
    expect(stdout).toMatch(/✓ +mail +ok: not set up, so nobody is told that \d+ keys? ends? within 7 days/);
    expect(stdout).toMatch(/✓ +probe +added, remembered, found and deleted in \d+ ms/);
    expect(await found('probe of memoir doctor', '--tag', 'memoir-doctor', '--threshold', '0')).toEqual([]);
  });

  test('compact rewrites the database, and everything is still found', async () => {
    const { code, stdout } = await run(['compact'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Done: the database takes [\d.]+ MB, before it took [\d.]+ MB\.\n$/);
    expect((await found('who feeds the cats?', '--tag', 'coast')).join()).toContain('Mara feeds two cats');
  });

  test('remember --again redraws the memories, and says what changed', async () => {
    const { code, stdout } = await run(['remember', '--again', '--wait', '--tag', 'coast'], place);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Done: \d+ documents? read again, 0 memories added, 0 removed\.\n$/);
    const none = await run(['remember', '--again', '--tag', 'nobody'], place);
    expect(none).toMatchObject({
      code: 0,
      stdout: 'Nothing to redraw: no document under nobody was read for memories.\n',
    });
    expect(await run(['remember'], place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--again'),
    });
  });

  test('retry names the document that there is not, and goes on with the next ones', async () => {
    const { id } = await answerOf<{ id: string }>(
      ['add', 'The gate is oiled in May.', '--tag', 'retried', '--wait'],
      place,
    );
    const { code, stderr } = await run(['retry', 'nobody', id], place);
    expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`${id}: done.*"nobody"`, 's'))]);
    const none = await run(['retry', '--tag', 'nobody'], place);
    expect(none.stdout).toContain('no document under nobody failed');
  });

  test('reindex has nothing to do while the embedder is the same', async () => {
    expect(await run(['reindex'], place)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing to do: searches already use builtin \S+\.\n$/),
    });
  });
});

describe('members', () => {
  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args, place);
    return `${code}: ${stdout}${stderr}`;
  };

  test('an owner is added, gets back in with a further key, and stays the last one', async () => {
    expect(await said('members', 'list')).toMatch(
      /^0: There are no members yet\. Add the first owner: memoir/,
    );
    const added = await said('members', 'add', 'Olga@example.org', '--role', 'owner');
    expect(added).toContain('0: olga@example.org is an owner now.\n');
    expect(added).toContain(`This key signs them in at ${server.url}/console/.`);
    for (const more of [['--role', 'owner'], []]) {
      const again = await said('members', 'add', 'olga@example.org', ...more);
      expect(again).toContain('0: olga@example.org is an owner already, and gets a further key.\n');
      const key = /sm_\S+/.exec(again)?.[0] ?? '';
      expect(await said('members', 'list', '--url', server.url, '--api-key', key)).toMatch(/^0: .*olga@/s);
    }
    expect(await said('members', 'remove', 'olga@example.org')).toMatch(/^1: This is the last owner/);
    await said('members', 'add', 'pia@example.org');
    expect(await said('members', 'role', 'pia@example.org', 'admin')).toBe(
      '0: pia@example.org is an admin now.\n',
    );
    expect(await said('members', 'role', 'pia@example.org', 'member')).toContain(
      'pia@example.org is a member now. They may use every container tag: no limit is set.',
    );
    await said('members', 'remove', 'pia@example.org');
    expect(await said('members', 'role', 'nobody@example.org', 'admin')).toMatch(
      /^1: No member has the address or the id nobody@example\.org\. See: memoir members list/,
    );
  });

  test('a quota is set by the address of a member', async () => {
    expect(await said('quotas', 'set', '--member', 'OLGA@example.org', '--searches-per-day', '5')).toContain(
      '0: The member OLGA@example.org has the quota searchesPerDay: 5.',
    );
    expect(await said('quotas', 'set', '--member', 'nobody', '--searches-per-day', '5')).toMatch(
      /^1: No member has the address or the id nobody\./,
    );
  });
});
