// Tests that principals of one tag reach nothing of another tag, by attacks on every operation.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { mapBounded } from '../../server/lib/async/bounded.ts';
import type { Operation } from '../../tools/operation.ts';
import { operations } from '../../tools/registry.generated.ts';
import { verifies } from '../spec/verifies.ts';
import { isManaging } from '../support/managing.ts';
import { type OwnMemoir, startMemoir } from '../support/memoir.ts';
import { attacked, attacks, unguarded } from './attacks/all.ts';
import type { Cast } from './attacks/attack.ts';
import {
  type Attacker,
  type Attempt,
  attackerKinds,
  attempt,
  attemptsOf,
  everyAttack,
  judge,
} from './attempts.ts';
import { runControl } from './controls.ts';
import { addAll, importMany, openParty, type Party, stateOf, uploadedOf } from './parties.ts';
import { principalsOf } from './principals.ts';
import { type Chance, createChance, testSeed } from './secrets.ts';
import { type Door, doors, type Input } from './ways.ts';

const FEWEST_ATTEMPTS = 2_000;
const FEWEST_OF_A_KIND = 300;
const AT_ONCE = 8;
const OWNERS_AT_ONCE = 4;
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
  const silent = attacked.filter(
    ({ reaches, tags }) =>
      (reaches === 'tags' || reaches === 'document' || reaches === 'inside') && tags === undefined,
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
  const known = new Set(attacked.map(({ name }) => name));
  expectNone(Object.keys(attacks).filter((name) => !known.has(name)));
});

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
  const plan = { attackers: await principalsOf(memoir, self), document: own.next, chance };
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
  `no principal of one tag reaches anything of another, in at least ${FEWEST_ATTEMPTS} attempts (seed ${seed})`,
  async ({ way }) => {
    const chance = createChance(seed);
    const door = doors[way](() => memoir.url);
    const { victims, club, attempts, addOwn } = await open(chance);
    for (const kind of attackerKinds) {
      const ofKind = attempts.filter((one) => one.attacker.kind === kind && isEarnest(one));
      expect(ofKind.length, kind).toBeGreaterThan(FEWEST_OF_A_KIND);
    }
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
    const run = (control: ReturnType<typeof everyAttack>[number]) => runControl(controls, control);
    expectNone((await mapBounded(everyAttack(), OWNERS_AT_ONCE, run)).flat());
  },
  { timeoutMs: LIMIT_MS },
);

/** An explanation lists its searches in the order in which they ended. */
const inOrder = (name: string, value: unknown): unknown =>
  name === 'searches' && Array.isArray(value) ? value.map((one) => JSON.stringify(one)).sort() : value;

/** The answer without what differs from call to call. */
const lasting = (text: string): string =>
  JSON.stringify(JSON.parse(text), inOrder)
    .replace(/"(timing|took|searchTime)":[\d.]+/g, '')
    .replace(/"lastUsedAt":("[^"]*"|null)/g, '');

interface Reading {
  what: string;
  operation: Operation;
  input: Input;
  key: string;
}

/** Everything that principals of a party can read, totals and counts included, each with the same question. */
const readingsOf = (principals: readonly Attacker[], party: Party, chance: Chance): Reading[] => {
  const own: Cast = {
    own: { tags: party.tags, document: () => ({ id: party.documents[0]?.id ?? '' }) },
    ...{ theirs: party, target: party.documents[0] ?? uploadedOf(party), tag: party.tags[0], chance },
  };
  return everyAttack()
    .filter(({ operation, attack }) => operation.permission === 'read' && !attack.duringImport)
    .filter(({ operation, attack }) => !isManaging(operation) && attack.shows !== 'nothing')
    .flatMap(({ operation, attack }) => {
      const input = attack.input(own);
      return principals.map(({ key, name }) => {
        const what = `${operation.name} ${attack.how}, by ${name}`;
        return { operation, input, key, what };
      });
    });
};

/** Modes that rank differently; the attacks above search in the usual one. */
const searchesOf = (principals: readonly Attacker[]): Reading[] =>
  operations
    .filter(({ name }) => name === 'search.documents' || name === 'search.memories')
    .flatMap((operation) =>
      ['memories', 'documents', 'hybrid', 'semantic', 'keyword'].flatMap((searchMode) => {
        const input = { q: 'What is the code of the vault?', searchMode, threshold: 0, limit: 100 };
        return principals.map(({ key, name }) => {
          const what = `${operation.name} by ${searchMode}, by ${name}`;
          return { operation, input, key, what };
        });
      }),
    );

/** Links to files end at another time with each answer. */
const seenBy = (door: Door, readings: readonly Reading[]): Promise<string[]> =>
  mapBounded(readings, AT_ONCE, async ({ operation, input, key, what }) => {
    const { status, body } = await door(operation, input, key, 2);
    return `${what}: ${status} ${operation.name === 'documents.fileUrl' ? '' : lasting(body)}`;
  });

for (const wide of [false, true])
  verifies(
    'isolation:others:no-trace',
    `documents of others change no total, count or score that a principal sees, and health tells it none (wide: ${wide}, seed ${seed})`,
    async ({ way }) => {
      await searchWide(wide);
      const chance = createChance(seed + (wide ? 2 : 3));
      const party = await openParty(memoir, chance);
      const everyone = await principalsOf(memoir, party);
      const oneOfAKind = everyone.filter(
        ({ kind }, at) => everyone.findIndex((one) => one.kind === kind) === at,
      );
      const readings = [
        ...searchesOf(oneOfAKind.slice(0, 1)),
        ...readingsOf(wide ? oneOfAKind.slice(1, 2) : oneOfAKind, party, chance),
      ];
      const door = doors[way](() => memoir.url);
      await memoir.idle();
      const before = await seenBy(door, readings);
      for (const key of [null, ...oneOfAKind.map((one) => one.key)])
        expect(Object.keys((await memoir.ask('GET', '/health', undefined, { key })).body)).toEqual([
          'status',
          'version',
        ]);
      for (let others = 0; others < 5; others++) await openParty(memoir, chance);
      expect(await seenBy(door, readings)).toEqual(before);
    },
    { timeoutMs: LIMIT_MS },
  );
