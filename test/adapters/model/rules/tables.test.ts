import { describe, expect, it, test } from 'vitest';
import * as answers from '../../../../server/adapters/model/rules/english/answers.ts';
import * as assistant from '../../../../server/adapters/model/rules/english/assistant.ts';
import * as clauses from '../../../../server/adapters/model/rules/english/clauses.ts';
import * as contractions from '../../../../server/adapters/model/rules/english/contractions.ts';
import * as days from '../../../../server/adapters/model/rules/english/days.ts';
import { factOf, RULES } from '../../../../server/adapters/model/rules/english/fact.ts';
import * as things from '../../../../server/adapters/model/rules/english/facts/things.ts';
import * as fronts from '../../../../server/adapters/model/rules/english/fronts.ts';
import * as instructed from '../../../../server/adapters/model/rules/english/instructed.ts';
import * as instructions from '../../../../server/adapters/model/rules/english/instructions.ts';
import { LEFT_OUT } from '../../../../server/adapters/model/rules/english/left-out.ts';
import * as lists from '../../../../server/adapters/model/rules/english/lists.ts';
import * as openers from '../../../../server/adapters/model/rules/english/openers.ts';
import * as person from '../../../../server/adapters/model/rules/english/person.ts';
import * as restored from '../../../../server/adapters/model/rules/english/restored.ts';

const MONDAY = Date.UTC(2023, 4, 8);

/** A table of what goes in and what comes out. */
const rows = <Out>(
  name: string,
  examples: readonly (readonly [string, Out])[],
  run: (text: string) => unknown,
): void => {
  describe(name, () => {
    it.each(examples.map(([given, wanted]) => ({ given, wanted })))('$given', ({ given, wanted }) => {
      expect(run(given)).toEqual(wanted);
    });
  });
};

describe('every rule of facts recognises its examples', () => {
  const examples = [...RULES.flatMap((rule) => rule.examples), ...things.examples];
  it.each(examples.map(([statement, slot, value]) => ({ statement, slot, value })))(
    '$statement',
    ({ statement, slot, value }) => {
      const fact = factOf(statement);
      expect(fact?.slot ?? null).toBe(slot);
      expect(fact?.value.join(' ') ?? '').toBe(value);
    },
  );

  test('and there is one for each rule', () => {
    expect(RULES.filter((rule) => rule.examples.length === 0).map(({ slot }) => slot)).toEqual([]);
  });

  const counterExamples = RULES.flatMap((rule) =>
    (rule.counterExamples ?? []).map((statement) => ({ statement, slot: rule.slot })),
  );
  it.each(counterExamples)('but says of "$statement" nothing about $slot', ({ statement, slot }) => {
    expect(factOf(statement)?.slot ?? '').not.toContain(`/${slot}`);
  });
});

describe('what states nothing is left out', () => {
  const examples = LEFT_OUT.flatMap(({ why, pattern, examples: given }) =>
    given.map((sentence) => ({ why, pattern, sentence })),
  );
  it.each(examples)('$why: $sentence', ({ pattern, sentence }) => {
    expect(sentence).toMatch(pattern);
  });
});

describe('days are counted from when something was said', () => {
  it.each(days.examples.map(([said, written, starts]) => ({ said, written, starts })))(
    '$said',
    ({ said, written, starts }) => {
      const spans = days.spansOf(said, MONDAY, said.includes('will'));
      expect(days.writeOut(said, spans)).toBe(written);
      expect(new Date(spans[0]?.from ?? 0).toISOString().slice(0, 10)).toBe(starts);
    },
  );
});

rows('the third person', person.examples, (text) =>
  person.toThirdPerson(text, { name: 'Anna', listener: 'Bob' }),
);
rows('short forms', contractions.examples, contractions.expand);
rows('words around a sentence', openers.examples, openers.core);
rows('the subject first', fronts.examples, fronts.subjectFirst);
rows('subjects left unsaid', restored.examples, restored.withSpeaker);
rows('one wording for names', restored.wordings, restored.oneWording);
rows('standing instructions', instructions.examples, instructions.instructionIn);
rows('what an assistant did', assistant.examples, assistant.assistantDid);
rows('several facts in one sentence', clauses.examples, clauses.clausesOf);
rows('lists of facts', lists.examples, lists.listedFacts);
rows('what instructions leave out', instructed.examples, instructed.leftOutBy);

describe('an answer and its question', () => {
  it.each(answers.ANSWERS.map(({ example }) => example))('%s %s', (question, answer, sentence) => {
    expect(answers.answered(question, answer)).toBe(sentence);
  });

  it.each([
    ['Do you have a car?', 'Yes.', 'I have a car'],
    ['Do you like sushi?', "No, I don't.", "I don't like sushi"],
    ['Are you vegan?', 'Yeah', 'I am vegan'],
    ['Do you want tea?', 'Yes', null],
    ['Do you like sushi?', 'It depends on the place and the weather of the day.', null],
  ])('%s %s', (question, answer, sentence) => {
    expect(answers.answered(question, answer)).toBe(sentence);
  });
});
