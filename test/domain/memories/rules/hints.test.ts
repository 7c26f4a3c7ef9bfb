// Tests of hints: a later statement that replaces an earlier one with a small chance.
import { expect, it } from 'vitest';
import type { DrawnMemory } from '../../../../server/adapters/language-model/ports/memory-reader.ts';
import { createRulesReader } from '../../../../server/domain/memories/rules/reader.ts';
import { finish } from '../../../../server/lib/async/steps.ts';

const reader = createRulesReader();

const drawn = (memory: string, saidAt: number): DrawnMemory => ({
  ...{ memory, saidAt, isStatic: false, isInference: false, slot: null, about: null, relations: [] },
  ...{ outdatedBy: null, eventDates: [], forgetAfter: null, positions: [] },
});

const relationsOf = (later: string, { saidAt = 2 } = {}) => {
  const earlier = drawn("The user can't stand coriander", 1);
  const steps = reader.relate?.([earlier, drawn(later, saidAt)], []);
  return (
    steps &&
    finish(steps)
      .at(-1)
      ?.relations.map(({ kind }) => kind)
  );
};

const LATER = 'The user had coriander in Mexico and liked it';

it('a later statement about perhaps the same hints at the earlier one and replaces nothing', () => {
  expect(relationsOf(LATER)).toEqual(['hints']);
});

it('what was said at the same time, or about something else, hints at nothing', () => {
  expect(relationsOf(LATER, { saidAt: 1 })).toEqual([]);
  expect(relationsOf('Marisol moved to Ghent')).toEqual([]);
});
