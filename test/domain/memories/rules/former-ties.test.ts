// Tests of statements that name somebody by a tie: they are of the past when another has taken the place.
import { expect, it } from 'vitest';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { request, turns } from '../../../adapters/language-model/requests.ts';

const reader = createRulesReader();

/** The statements that hold after both messages. */
const holding = async (first: readonly string[], second: string): Promise<string[]> => {
  const said = [...first.map((text): [string, string] => ['user', text]), ['user', second] as const];
  const { memories } = await reader.read(request({ fresh: turns(...said) }));
  const replaced = new Set(
    memories.flatMap(({ relations }) =>
      relations.flatMap(({ kind, to }) => (kind === 'updates' && 'drawn' in to ? [to.drawn] : [])),
    ),
  );
  return memories.flatMap(({ memory }, at) => (replaced.has(at) ? [] : [memory]));
};

const TEACHERS = ["Anna's teacher is Mr. Kondo.", "Anna's teacher Mr. Kondo gives homework every day."];

it('what named somebody by a tie goes with the statement that told the tie', async () => {
  const held = await holding(TEACHERS, "Anna's teacher is Ms. Hayashi now.");
  expect(held.filter((memory) => memory.includes('Kondo'))).toEqual([]);
  expect(held.some((memory) => memory.includes('Hayashi'))).toBe(true);
});

it('what names him by another tie, or nobody by a tie, stays', async () => {
  const others = ['Mr. Kondo lives in Leeds.', "Anna's teacher Mr. Abe sings in a choir."];
  const held = await holding([...TEACHERS, ...others], "Anna's teacher is Ms. Hayashi now.");
  expect(held).toEqual(expect.arrayContaining(["Anna's teacher Mr. Abe sings in a choir"]));
});
