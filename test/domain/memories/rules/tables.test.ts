// Tests of the rules by their tables of examples.
import { describe, expect, it, test } from 'vitest';
import * as days from '../../../../server/domain/memories/rules/english/days.ts';
import { factOf, RULES } from '../../../../server/domain/memories/rules/english/fact.ts';
import * as things from '../../../../server/domain/memories/rules/english/facts/things.ts';
import * as clauses from '../../../../server/domain/memories/rules/english/grammar/clauses.ts';
import * as contractions from '../../../../server/domain/memories/rules/english/grammar/contractions.ts';
import * as person from '../../../../server/domain/memories/rules/english/grammar/person.ts';
import * as typing from '../../../../server/domain/memories/rules/english/grammar/typing.ts';
import * as lists from '../../../../server/domain/memories/rules/english/lists.ts';
import * as answers from '../../../../server/domain/memories/rules/english/sentences/answers.ts';
import * as assistant from '../../../../server/domain/memories/rules/english/sentences/assistant.ts';
import { EXCLUSIONS } from '../../../../server/domain/memories/rules/english/sentences/excluded.ts';
import * as fronts from '../../../../server/domain/memories/rules/english/sentences/fronts.ts';
import * as instructed from '../../../../server/domain/memories/rules/english/sentences/instructed.ts';
import * as instructions from '../../../../server/domain/memories/rules/english/sentences/instructions.ts';
import * as introductions from '../../../../server/domain/memories/rules/english/sentences/introductions.ts';
import * as openers from '../../../../server/domain/memories/rules/english/sentences/openers.ts';
import * as restored from '../../../../server/domain/memories/rules/english/sentences/restored.ts';

const MONDAY = Date.UTC(2023, 4, 8);

/** Registers a table of inputs and results. */
const rows = <In, Out>(
  name: string,
  examples: readonly (readonly [In, Out])[],
  run: (given: In) => unknown,
): void => {
  describe(`the rules for ${name}`, () => {
    it.each(examples.map(([given, wanted]) => ({ given, wanted })))(
      'rewrite "$given"',
      ({ given, wanted }) => {
        expect(run(given)).toEqual(wanted);
      },
    );
  });
};

describe('every rule of facts', () => {
  const examples = [...RULES.flatMap((rule) => rule.examples), ...things.thingExamples];
  it.each(examples.map(([statement, slot, value]) => ({ statement, slot, value })))(
    'recognises its example: $statement',
    ({ statement, slot, value }) => {
      const fact = factOf(statement);
      expect(fact?.slot ?? null).toBe(slot);
      expect(fact?.value.join(' ') ?? '').toBe(value);
    },
  );

  test('has an example', () => {
    expect(RULES.filter((rule) => rule.examples.length === 0).map(({ slot }) => slot)).toEqual([]);
  });

  const counterExamples = RULES.flatMap((rule) =>
    (rule.counterExamples ?? []).map((statement) => ({ statement, slot: rule.slot })),
  );
  it.each(counterExamples)('says nothing about $slot for "$statement"', ({ statement, slot }) => {
    expect(factOf(statement)?.slot ?? '').not.toContain(`/${slot}`);
  });
});

describe('a sentence without a statement is left out', () => {
  const examples = EXCLUSIONS.flatMap(({ why, pattern, examples: given }) =>
    given.map((sentence) => ({ why, pattern, sentence })),
  );
  it.each(examples)('$why: $sentence', ({ pattern, sentence }) => {
    expect(sentence).toMatch(pattern);
  });
});

describe('days are counted from the time of the statement', () => {
  it.each(days.dayExamples.map(([said, written, starts]) => ({ said, written, starts })))(
    'in "$said"',
    ({ said, written, starts }) => {
      const spans = days.spansOf(said, MONDAY, () => said.includes('will'));
      expect(days.writeOut(said, spans)).toBe(written);
      expect(new Date(spans[0]?.from ?? 0).toISOString().slice(0, 10)).toBe(starts);
    },
  );
});

describe('a weekday that recurs is no day of the calendar', () => {
  it.each([
    'We meet on the first Thursday of the month',
    'The last Friday of every month is pizza',
    'The kids are here Monday to Wednesday',
    'She trains Monday, Wednesday and Friday',
    'The shop has no Saturday work',
    'Any Friday suits me',
    'We open every day but Monday',
    'We open daily except Monday and Tuesday',
    'The Monday meeting is at ten',
  ])('in "%s"', (said) => {
    expect(
      days.writeOut(
        said,
        days.spansOf(said, MONDAY, () => true),
      ),
    ).toBe(said);
  });
});

rows('the third person', person.personExamples, (text) =>
  person.toThirdPerson(text, { name: 'Anna', listener: 'Bob' }),
);
rows('sentences typed without capitals', typing.typingExamples, (said) => {
  const { written } = typing.createTyping([]);
  return said.map(written);
});
rows('short forms', contractions.contractionExamples, contractions.expand);
rows('words around a sentence', openers.openerExamples, openers.core);
rows('the subject first', fronts.frontExamples, fronts.subjectFirst);
rows('the subject behind it', fronts.realSubjectExamples, fronts.realSubject);
rows('omitted subjects', restored.restoredExamples, restored.withSpeaker);
rows('introductions', introductions.introductionExamples, introductions.oneWording);
rows('standing instructions', instructions.instructionExamples, instructions.instructionIn);
rows('actions of an assistant', assistant.assistantExamples, assistant.assistantDid);
rows('several facts in one sentence', clauses.clauseExamples, clauses.clausesOf);
rows('lists of facts', lists.listExamples, lists.listedFacts);
rows('omissions in instructions', instructed.instructedExamples, instructed.leftOutBy);

describe('an answer to a question', () => {
  it.each(answers.ANSWERS.map(({ example }) => example))(
    'is joined with it: %s %s',
    (question, answer, sentence) => {
      expect(answers.answerStatement(question, answer)).toBe(sentence);
    },
  );

  it.each([
    ['Do you have a car?', 'Yes.', 'I have a car'],
    ['Do you like sushi?', "No, I don't.", "I don't like sushi"],
    ['Are you vegan?', 'Yeah', 'I am vegan'],
    ['Do you want tea?', 'Yes', null],
    ['Do you like sushi?', 'It depends on the place and the weather of the day.', null],
  ])('is joined with it if possible: %s %s', (question, answer, sentence) => {
    expect(answers.answerStatement(question, answer)).toBe(sentence);
  });
});
