// The contract of a reader of memories, with a model and without one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  DrawnMemory,
  KnownMemory,
  MemoryReader,
  ReadRequest,
} from '../../../server/adapters/language-model/ports/memory-reader.ts';
import { finish } from '../../../server/lib/async/steps.ts';
import { known, request, turn, turns } from './requests.ts';

export interface Opened {
  readonly reader: MemoryReader;
  close(): Promise<void>;
}

const read = async (reader: MemoryReader, given: Partial<ReadRequest>): Promise<readonly DrawnMemory[]> =>
  (await reader.read(request(given))).memories;

const textsOf = (memories: readonly DrawnMemory[]): string[] => memories.map(({ memory }) => memory);

function draws(reader: () => MemoryReader): void {
  it('names itself and its limits', () => {
    expect(reader().name).not.toBe('');
    expect(Math.min(...Object.values(reader().limits))).toBeGreaterThan(0);
  });

  it('draws nothing from an empty text', async () => {
    expect(await read(reader(), {})).toEqual([]);
  });

  it('draws a lasting fact as one statement about its speaker, with its position', async () => {
    const memories = await read(reader(), { fresh: [turn('Anna', 'I live in Berlin.', { position: 7 })] });
    expect(memories).toMatchObject([
      { memory: 'Anna lives in Berlin', isStatic: true, isInference: false, relations: [], positions: [7] },
    ]);
  });

  it('draws nothing from questions, greetings and thanks', async () => {
    const fresh = turns(['Anna', 'Hi Bob! How are you?'], ['Bob', 'Thanks, fine. Where do you live?']);
    expect(await read(reader(), { fresh })).toEqual([]);
  });

  it('counts days from the date of the statement', async () => {
    const [memory] = await read(reader(), { fresh: turns(['Anna', 'I visited my aunt yesterday.']) });
    expect(memory?.memory).toContain('7 May 2023');
    expect(memory?.eventDates).toEqual([Date.UTC(2023, 4, 7)]);
    expect(memory).toMatchObject({ isStatic: false, saidAt: request().documentDate });
  });

  it("finds the end of a statement's validity", async () => {
    const [memory] = await read(reader(), { fresh: turns(['Anna', 'I am in Lisbon until Friday.']) });
    expect(memory?.forgetAfter).toBe(Date.UTC(2023, 4, 13));
  });
}

function relates(reader: () => MemoryReader): void {
  const berlin = known('m1', 'Anna lives in Berlin', { slot: 'anna/home' });

  it('replaces a known fact that has changed', async () => {
    const [memory] = await read(reader(), { fresh: turns(['Anna', 'I moved to Munich.']), known: [berlin] });
    expect(memory).toMatchObject({
      memory: 'Anna moved to Munich',
      relations: [{ kind: 'updates', to: { known: 'm1' } }],
    });
  });

  it('replaces an earlier statement of the same text', async () => {
    const fresh = turns(['Anna', 'I live in Berlin.'], ['Anna', 'I moved to Munich.']);
    const memories = await read(reader(), { fresh });
    const updates = memories.flatMap(({ relations }) => relations).filter(({ kind }) => kind === 'updates');
    expect(updates.length).toBeLessThanOrEqual(1);
    for (const { to } of updates) expect(to).toEqual({ drawn: 0 });
  });

  it('repeats the exact words of a known statement that is said again', async () => {
    const [memory] = await read(reader(), {
      fresh: turns(['Anna', "I'm living in Berlin."]),
      known: [berlin],
    });
    expect(memory).toMatchObject({ memory: 'Anna lives in Berlin', relations: [] });
  });

  it('adds detail to a known statement, and both stay', async () => {
    const dog = known('m2', 'Anna has a dog', { slot: 'anna/has:dog', about: 'anna/dog' });
    const [memory] = await read(reader(), {
      fresh: turns(['Anna', 'My dog is called Rex.']),
      known: [dog, berlin],
    });
    expect(memory).toMatchObject({
      memory: "Anna's dog is called Rex",
      relations: [{ kind: 'extends', to: { known: 'm2' } }],
    });
  });

  it('places every statement among the new ones, and relates it only to existing ones', async () => {
    const fresh = Array.from({ length: 60 }, (_, at) =>
      turn('Anna', at % 2 === 0 ? 'I live in Berlin.' : 'I moved to Munich.', { position: at + 100 }),
    );
    const memories = await read(reader(), { fresh, known: [berlin] });
    memories.forEach(({ positions, relations }, at) => {
      expect(positions.length).toBeGreaterThan(0);
      for (const position of positions) expect(fresh[position - 100]).toBeDefined();
      for (const { to } of relations)
        if ('known' in to) expect(to.known).toBe('m1');
        else expect(to.drawn).toBeLessThan(at);
    });
  });

  it('asks for the known memories that a text may change', async () => {
    const wanted = finish(reader().lookupFor(request({ fresh: turns(['Anna', 'I moved to Munich.']) })));
    expect(wanted.slots).toContain('anna/home');
  });
}

function obeys(reader: () => MemoryReader): void {
  const fresh = turns(['Anna', 'I live in Berlin.']);

  it('does not learn again the texts that Memoir returned', async () => {
    const said = turns([null, 'Anna lives in Berlin'], [null, '- Anna lives in Berlin\n- Anna has a dog']);
    expect(await read(reader(), { fresh: said, served: ['Anna lives in Berlin', 'Anna has a dog'] })).toEqual(
      [],
    );
  });

  it("accepts a user's own words as a repetition, though Memoir showed the same sentence before", async () => {
    expect(textsOf(await read(reader(), { fresh, served: ['I live in Berlin.'] }))).toEqual([
      'Anna lives in Berlin',
    ]);
  });

  it('draws nothing from system and tool messages', async () => {
    const said = (['system', 'tool'] as const).map((role) => turn(null, 'I live in Berlin.', { role }));
    expect(await read(reader(), { fresh: said })).toEqual([]);
  });

  it('never remembers content that the owner excludes', async () => {
    const guidance = { ...request().guidance, excludeItems: ['Berlin'] };
    expect(textsOf(await read(reader(), { fresh, guidance }))).toEqual([]);
  });

  it('does not change its input', async () => {
    const given = request({ fresh: Object.freeze(fresh.map((one) => Object.freeze(one))) });
    await reader().read(Object.freeze(given));
    expect(given.fresh[0]?.text).toBe('I live in Berlin.');
  });

  it('stops with the reason of a signal that is aborted', async () => {
    const reason = new Error('no longer wanted');
    await expect(reader().read(request({ fresh }), { signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
  });

  it('describes a statement that a caller wrote', () => {
    expect(reader().describe?.('Anna lives in Berlin')).toMatchObject({ isStatic: true, slot: 'anna/home' });
    expect(reader().describe?.('The gate squeaks')).toMatchObject({ isStatic: false, slot: null });
  });
}

const related = (
  { relate }: MemoryReader,
  drawn: readonly DrawnMemory[],
  stored: readonly KnownMemory[],
): readonly DrawnMemory[] => (relate ? finish(relate(drawn, stored)) : []);

function relatesAgain(reader: () => MemoryReader): void {
  it('relates its drawn statements again when a known memory was replaced in the meantime', async () => {
    const berlin = known('m1', 'Anna lives in Berlin', { slot: 'anna/home' });
    const memories = await read(reader(), { fresh: turns(['Anna', 'I moved to Munich.']), known: [berlin] });
    const rome = known('m9', 'Anna moved to Rome', { slot: 'anna/home' });
    const [again] = related(reader(), memories, [rome]);
    expect(again?.relations).toEqual([{ kind: 'updates', to: { known: 'm9' } }]);
  });

  it('relates to memories that were stored while it read, in the order of the statements', async () => {
    const memories = await read(reader(), { fresh: turns(['Anna', 'I moved to Munich.']) });
    const said = Date.UTC(2023, 0);
    const dated = memories.map((memory) => ({ ...memory, saidAt: said }));
    const relatedTo = (saidAt: number) =>
      related(reader(), dated, [known('m1', 'Anna lives in Berlin', { slot: 'anna/home', saidAt })])[0];
    expect(relatedTo(said - 1)).toMatchObject({
      relations: [{ kind: 'updates', to: { known: 'm1' } }],
      outdatedBy: null,
    });
    expect(relatedTo(said + 1)).toMatchObject({ relations: [], outdatedBy: 'm1' });
  });
}

export function readerContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name} keeps the contract of a reader`, () => {
    let opened: Opened;
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened.close());
    const reader = () => opened.reader;
    draws(reader);
    relates(reader);
    relatesAgain(reader);
    obeys(reader);
  });
}
