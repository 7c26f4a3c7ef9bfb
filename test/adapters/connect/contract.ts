// The contract of a source, as stories that each source passes over its fake. What the engine alone decides (limits,
// selections in folders, documents of two connections) is tested with the engine.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SourceKind } from '../../../server/adapters/connect/port.ts';
import { SourceError } from '../../../server/adapters/connect/source-error.ts';
import { type FakeAnswer, forRequests, tooManyRequests } from '../../fakes/support/fake-server.ts';
import {
  type FollowedSource,
  filesOf,
  follow,
  lookOnce,
  type OpenedFake,
  type OpenOptions,
  openFake,
  readFrom,
  textOf,
} from './open-source.ts';
import type { SourceFake } from './source-fake.ts';

/** More than a page of any fake. */
const NAMES = ['a.md', 'b.md', 'c.md', 'd.md', 'e.md', 'f.md', 'g.md'];

const failureOf = async (work: Promise<unknown>): Promise<SourceError> => {
  const error = await work.then(
    () => new Error('It succeeded.'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SourceError)) throw error;
  return error;
};

interface Story {
  readonly fake: SourceFake;
  readonly opened: OpenedFake;
  readonly known: FollowedSource;
  /** One look to its end. */
  look(): Promise<void>;
  /** The item of this id; fails if there is none. */
  item(id: string): ReturnType<typeof filesOf>[number];
  /** The texts of all items, by id. */
  texts(): Promise<Record<string, string>>;
}

const createStory = (kind: SourceKind, fake: SourceFake, options: OpenOptions): Story => {
  const opened = openFake(kind, fake, options);
  const known = follow();
  const choice = fake.choice === undefined ? {} : { choice: fake.choice };
  return {
    ...{ fake, opened, known },
    async look() {
      await lookOnce(opened, known, choice);
    },
    item(id) {
      const found = filesOf(known).find((one) => one.id === id);
      if (found === undefined) throw new Error(`The source did not show ${id}.`);
      return found;
    },
    async texts() {
      const entries = filesOf(known).map(async (item) => [
        item.id,
        await textOf(await readFrom(opened, item)),
      ]);
      return Object.fromEntries(await Promise.all(entries));
    },
  };
};

type UseStory = () => Story;

const fillSource = async ({ fake }: Story): Promise<Record<string, string>> => {
  const ids: Record<string, string> = {};
  for (const name of NAMES) ids[name] = await fake.put(name, `The text of ${name}, first version.`);
  return ids;
};

const listingStories = (use: UseStory): void => {
  test('a first look shows everything, and each item can be read', async () => {
    const story = use();
    const ids = await fillSource(story);
    await story.look();
    expect(
      filesOf(story.known)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.values(ids).sort());
    const texts = await story.texts();
    for (const name of NAMES) expect(texts[ids[name] ?? '']).toContain(`The text of ${name}, first version.`);
  });

  test('a look that is stopped after every page goes on from there', async () => {
    const story = use();
    const ids = await fillSource(story);
    const choice = story.fake.choice === undefined ? {} : { choice: story.fake.choice };
    let steps = 0;
    for (let ended: string | null = null; ended === null; steps++) {
      if (steps > 200) throw new Error('The look does not come to its end.');
      ({ ended } = await lookOnce(story.opened, story.known, { ...choice, pages: 1 }));
    }
    expect(
      filesOf(story.known)
        .map(({ id }) => id)
        .sort(),
    ).toEqual(Object.values(ids).sort());
  });

  test('a look without a change shows no other mark, and cursors are small', async () => {
    const story = use();
    await fillSource(story);
    await story.look();
    const marks = filesOf(story.known).map(({ id, mark }) => [id, mark]);
    await story.look();
    expect(filesOf(story.known).map(({ id, mark }) => [id, mark])).toEqual(marks);
    expect(JSON.stringify(story.known.cursor).length).toBeLessThan(64 * 1024);
  });
};

const changeStories = (use: UseStory): void => {
  test('an edited item has another mark and the new text; the others keep theirs', async () => {
    const story = use();
    const ids = await fillSource(story);
    await story.look();
    const before = new Map(filesOf(story.known).map(({ id, mark }) => [id, mark]));
    await story.fake.put('c.md', 'The text of c.md, second version.');
    await story.look();
    const changed = filesOf(story.known).filter(({ id, mark }) => before.get(id) !== mark);
    const read = await textOf(
      await readFrom(story.opened, story.item(ids['c.md'] ?? ''), before.get(ids['c.md'] ?? '') ?? null),
    );
    expect(read).toContain('second version');
    // A source that learns the mark by reading shows the item with the old one, or with none.
    expect(changed.map(({ id }) => id).filter((id) => id !== ids['c.md'])).toEqual([]);
  });

  test('a renamed item keeps its id and its mark', async ({ skip }) => {
    const story = use();
    if (story.fake.rename === undefined) return skip('an item is its name');
    const ids = await fillSource(story);
    await story.look();
    const { mark } = story.item(ids['b.md'] ?? '');
    await story.fake.rename('b.md', 'renamed.md');
    await story.look();
    const renamed = story.item(ids['b.md'] ?? '');
    expect(renamed.mark).toBe(mark);
    expect(`${renamed.face.title} ${renamed.face.path ?? ''}`).toContain('renamed');
  });

  test('a removed item is gone, and comes back when it is restored', async ({ skip }) => {
    const story = use();
    if (story.fake.showsRemovals === false) return skip('a look does not tell removals');
    const ids = await fillSource(story);
    await story.look();
    await story.fake.remove('d.md');
    await story.look();
    expect(story.known.items.has(ids['d.md'] ?? '')).toBe(false);
    expect(filesOf(story.known)).toHaveLength(NAMES.length - 1);
    if (story.fake.restore === undefined) await story.fake.put('d.md', 'The text of d.md, first version.');
    else await story.fake.restore('d.md');
    await story.look();
    expect(filesOf(story.known)).toHaveLength(NAMES.length);
  });

  test('a refused cursor leads to a whole listing, without another mark', async ({ skip }) => {
    const story = use();
    if (story.fake.refuseCursor === undefined) return skip('there is no cursor that can be refused');
    await fillSource(story);
    await story.look();
    const marks = filesOf(story.known)
      .map(({ id, mark }) => [id, mark])
      .sort();
    story.fake.refuseCursor();
    await story.fake.remove('e.md');
    await story.look();
    expect(
      filesOf(story.known)
        .map(({ id, mark }) => [id, mark])
        .sort(),
    ).toEqual(marks.filter(([id]) => story.known.items.has(id ?? '')));
    expect(filesOf(story.known)).toHaveLength(NAMES.length - 1);
  });
};

const faultStories = (use: UseStory): void => {
  test('an ended token is renewed once', async ({ skip }) => {
    const story = use();
    if (story.fake.expireToken === undefined) return skip('there are no tokens that end');
    await fillSource(story);
    await story.opened.source.who(new AbortController().signal);
    story.fake.expireToken();
    await story.look();
    expect(filesOf(story.known)).toHaveLength(NAMES.length);
  });

  test('a refused key is an error that asks for another one', async ({ skip }) => {
    const story = use();
    if (story.fake.revoke === undefined) return skip('the source takes no key');
    await fillSource(story);
    story.fake.revoke();
    expect((await failureOf(story.look())).code).toBe('auth_expired');
  });

  test('nothing is asked before the time that a throttled request was told', async () => {
    const story = use();
    await fillSource(story);
    const { server, isListing } = story.fake;
    server.addFault(forRequests(isListing, tooManyRequests('7'), { times: 1 }));
    const began = story.opened.now();
    await story.look();
    expect(story.opened.now() - began).toBeGreaterThanOrEqual(7_000);
    expect(filesOf(story.known)).toHaveLength(NAMES.length);
  });

  test('a failure in passing is repeated, a lasting one ends the look, and its cursor stays', async () => {
    const story = use();
    await fillSource(story);
    const { server, isListing } = story.fake;
    server.addFault(forRequests(isListing, { status: 502 }, { times: 1 }));
    server.addFault(forRequests(isListing, { reset: 'at once' }, { times: 1 }));
    await story.look();
    expect(filesOf(story.known)).toHaveLength(NAMES.length);
    const { cursor } = story.known;
    const end = server.addFault(forRequests(isListing, { status: 503 }));
    expect((await failureOf(story.look())).code).toBe('provider_unavailable');
    end();
    expect(story.known.cursor).toEqual(cursor);
    await story.look();
    expect(filesOf(story.known)).toHaveLength(NAMES.length);
  });

  test('a listing that repeats its page is a bad answer and no endless look', async ({ skip }) => {
    const story = use();
    if (story.fake.repeatPages === undefined) return skip('a page cannot repeat itself');
    await fillSource(story);
    story.fake.repeatPages();
    expect((await failureOf(story.look())).code).toBe('bad_answer');
  });

  test('an item that cannot be read fails alone, and one that breaks off is read again', async () => {
    const story = use();
    const ids = await fillSource(story);
    await story.look();
    if (story.fake.forbid !== undefined) {
      story.fake.forbid('a.md');
      const failure = await failureOf(readFrom(story.opened, story.item(ids['a.md'] ?? '')).then(textOf));
      expect(['forbidden', 'not_found', 'refused']).toContain(failure.code);
    }
    const { server, isReading } = story.fake;
    const cut = async (_request: unknown, usual: () => Promise<FakeAnswer>): Promise<FakeAnswer> => ({
      ...(await usual()),
      reset: 'in the body',
    });
    server.addFault(forRequests(isReading, cut, { times: 1 }));
    const broken = await failureOf(readFrom(story.opened, story.item(ids['b.md'] ?? '')).then(textOf));
    expect(broken.code).toBe('provider_unavailable');
    const again = await textOf(await readFrom(story.opened, story.item(ids['b.md'] ?? '')));
    expect(again).toContain('The text of b.md');
  });

  test('an item that is too large is skipped with a sentence that names it', async ({ skip }) => {
    const story = use();
    if (story.fake.makeTooLarge === undefined) return skip('the listing tells no sizes');
    await story.fake.put('large.md', 'The text of large.md.');
    story.fake.makeTooLarge('large.md');
    await story.look();
    const large = [...story.known.items.values()].find(({ skip }) => skip !== undefined);
    expect(large?.skip?.code).toBe('size');
    expect(large?.skip?.message).toContain('large.md');
  });

  test('no secret is in the log', async () => {
    const story = use();
    await fillSource(story);
    await story.look();
    const log = story.opened.logged.join('\n');
    expect(log).toContain('Asked');
    for (const secret of Object.values(story.fake.grant.secrets)) expect(log).not.toContain(secret);
  });
};

/** Each source runs it with its fake; the fake lists in pages of two or three items. */
export const sourceContract = (
  kind: SourceKind,
  openFakeSource: () => Promise<SourceFake>,
  options: OpenOptions = {},
): void => {
  describe(`the source ${kind.provider}`, () => {
    let story: Story;
    beforeEach(async () => {
      story = createStory(kind, await openFakeSource(), options);
    });
    afterEach(async () => {
      await story.opened[Symbol.asyncDispose]();
      await story.fake.close();
    });
    const use = () => story;
    listingStories(use);
    changeStories(use);
    faultStories(use);
  });
};
