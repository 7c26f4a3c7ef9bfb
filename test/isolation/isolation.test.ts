// Tests that keys of one tag reach nothing of another tag, by attacks on every operation.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapBounded } from '../../server/lib/async/bounded.ts';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { attacks, unguarded } from './attacks/all.ts';
import { type Attacker, type Attempt, attempt, attemptsOf, everyAttack, judge } from './attempts.ts';
import { runControl } from './controls.ts';
import { addAll, importMany, mint, openParty, type Party, stateOf } from './parties.ts';
import { type Chance, createChance, testSeed } from './secrets.ts';
import { type Door, doors } from './ways.ts';

const FEWEST_ATTEMPTS = 2_000;
const AT_ONCE = 8;
const LIMIT_MS = 240_000;

/** Few enough that what one party has is a wide scope, which asks the vector index. */
const WIDE = 5;

const seed = testSeed();
/** Handed to Memoir at each start. */
const searchLimits: { narrow?: number } = {};
let memoir: OwnMemoir;
beforeAll(async () => {
  memoir = await startMemoir({}, { searchLimits });
});
afterAll(() => memoir.close());

/** Both ways of searching are attacked: comparing everything in reach, and asking the vector index. */
const searchWide = async (wide: boolean): Promise<void> => {
  delete searchLimits.narrow;
  if (wide) searchLimits.narrow = WIDE;
  await memoir.restart();
};

const expectNone = (problems: readonly string[]): void =>
  expect(
    problems.length,
    `seed ${seed}, ${problems.length} times:\n${problems.slice(0, 20).join('\n')}\n`,
  ).toBe(0);

test('every operation states how the tags of a key bind it', () => {
  const silent = operations.filter(
    ({ reaches, tags }) => (reaches === 'tags' || reaches === 'document') && tags === undefined,
  );
  expectNone(silent.map(({ name }) => `${name} says which tags it touches in no "tags".`));
});

test('every operation is attacked', () => {
  expectNone(
    unguarded().map(
      (name) =>
        `${name} is attacked nowhere: add how others could reach through it to test/isolation/attacks/.`,
    ),
  );
  const known = new Set(operations.map(({ name }) => name));
  expectNone(Object.keys(attacks).filter((name) => !known.has(name)));
});

/** Keys of one side: to read and to write, for one tag and for several. */
const attackersOf = async (tags: readonly [string, string]): Promise<Attacker[]> => {
  const asked = [tags.slice(0, 1), [...tags]].flatMap((held) =>
    (['read', 'write'] as const).map((permission) => ({ tags: held, permission })),
  );
  return Promise.all(
    asked.map(async ({ tags: held, permission }) => {
      const { key } = await mint(memoir, { containerTags: held, permission });
      return { name: `a key to ${permission} ${held.length} of its tags`, key, permission, tags: held };
    }),
  );
};

/** Documents of the attacker's own, under customIds: each is used once, for some are moved or deleted. */
const ownDocuments = (party: Party, chance: Chance) => {
  const customIds: string[] = [];
  return {
    next() {
      const id = chance.secret();
      customIds.push(id);
      return { id };
    },
    /** Adds the requested documents late, so that no earlier list has to show them. */
    async add() {
      const documents = customIds.map((customId) => ({
        content: `My own note ${customId}.`,
        customId,
        containerTag: party.tags[0],
      }));
      while (documents.length > 0) await addAll(memoir, party.key, documents.splice(0, 600));
    },
  };
};

const run = async (
  door: Door,
  attempts: readonly Attempt[],
  secrets: readonly string[],
): Promise<string[]> => {
  const judged = await mapBounded(attempts, AT_ONCE, async (one) =>
    judge(one, await attempt(door, one), secrets),
  );
  return judged.flat();
};

/** A key that may only read is turned away from every write before its tags are looked at. */
const isEarnest = ({ operation, attacker }: Attempt): boolean =>
  operation.permission === 'read' || attacker.permission === 'write';

const open = async (chance: Chance) => {
  const self = await openParty(memoir, chance);
  const victims = await Promise.all([openParty(memoir, chance), openParty(memoir, chance)]);
  /** The attacker holds one tag of each of its documents, but not all. */
  const club = await openParty(memoir, chance, self.tags.slice(0, 1));
  const own = ownDocuments(self, chance);
  const plan = { attackers: await attackersOf(self.tags), document: own.next, chance };
  const attempts: Attempt[] = [];
  while (attempts.filter(isEarnest).length < FEWEST_ATTEMPTS) {
    const onClub = attemptsOf({ ...plan, victims: [club], shared: true });
    attempts.push(...attemptsOf({ ...plan, victims, shared: false }));
    attempts.push(...onClub.filter(({ operation }) => operation.permission === 'write'));
  }
  return { victims, club, attempts, addOwn: own.add };
};

const isReading = ({ operation, attack }: Attempt): boolean =>
  operation.permission === 'read' && !attack.duringImport;

/** Those that plant names of theirs come last, for what is planted is the attacker's own to find and change. */
const writing: readonly ((attempt: Attempt) => boolean)[] = [
  ({ operation, attack }) => operation.permission === 'write' && !attack.plants,
  ({ attack }) => attack.plants === 'in one',
  ({ attack }) => attack.plants === 'in several',
];

verifies(
  [
    'isolation:key:outside-tags',
    'isolation:tags:search',
    'isolation:tags:list',
    'isolation:key:bulk-delete',
    'isolation:key:foreign-write',
    'isolation:shared:change',
  ],
  `keys of one tag reach nothing of another, in at least ${FEWEST_ATTEMPTS} attempts (seed ${seed})`,
  async ({ way }) => {
    const chance = createChance(seed);
    const door = doors[way](() => memoir.url);
    const { victims, club, attempts, addOwn } = await open(chance);
    const state = () => Promise.all([...victims, club].map((victim) => stateOf(memoir, victim)));
    await memoir.idle();
    const before = await state();
    const secrets = victims.flatMap((victim) => victim.secrets);

    const busy = await importMany(memoir, await openParty(memoir, chance), chance, 600);
    const whileBusy = attempts.filter(({ attack }) => attack.duringImport);
    expectNone(await run(door, whileBusy, [...secrets, ...busy.secrets]));

    const reading = attempts.filter(isReading);
    expectNone(await run(door, reading.slice(0, reading.length / 2), secrets));
    await searchWide(true);
    expectNone(await run(door, reading.slice(reading.length / 2), secrets));

    await addOwn();
    for (const stage of writing) expectNone(await run(door, attempts.filter(stage), secrets));

    await memoir.idle();
    expect(await state(), `seed ${seed}`).toEqual(before);
  },
  { timeoutMs: LIMIT_MS },
);

verifies(
  'isolation:key:outside-tags',
  `the same calls succeed when the owner makes them (seed ${seed})`,
  async ({ way }) => {
    const chance = createChance(seed + 1);
    const lasting = await openParty(memoir, chance);
    const controls = { memoir, door: doors[way](() => memoir.url), chance, lasting };
    const wrong: string[] = [];
    for (const control of everyAttack()) wrong.push(...(await runControl(controls, control)));
    expectNone(wrong);
  },
  { timeoutMs: LIMIT_MS },
);

/** The results of the party, by every search and list that ranks or counts. */
const findings = async (party: Party): Promise<unknown[]> => {
  const modes = ['memories', 'documents', 'hybrid', 'semantic', 'keyword'];
  const searches = modes.flatMap((searchMode) =>
    ['/v3/search', '/v4/search'].map((path) => ({ path, searchMode })),
  );
  const found = searches.map(async ({ path, searchMode }) => {
    const asked = { q: 'What is the code of the vault?', searchMode, threshold: 0, limit: 100 };
    return (await memoir.ask('POST', path, asked, { key: party.key })).body.results;
  });
  const list = memoir.ask('POST', '/v3/documents/list', { includeContent: true }, { key: party.key });
  return [...(await Promise.all(found)), (await list).body];
};

test.each([false, true])(
  `documents of others change no result of a key, not even a score (wide: %s, seed ${seed})`,
  async (wide) => {
    await searchWide(wide);
    const chance = createChance(seed + (wide ? 2 : 3));
    const party = await openParty(memoir, chance);
    const before = await findings(party);
    for (let others = 0; others < 5; others++) await openParty(memoir, chance);
    expect(await findings(party)).toEqual(before);
  },
  LIMIT_MS,
);
