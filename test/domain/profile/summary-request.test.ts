// Tests of the request for a summary of a profile, and of the lines made from the answer.
import { describe, expect, it } from 'vitest';
import type { SummaryLine } from '../../../server/adapters/language-model/ports/summariser.ts';
import { bucketSections, dynamicSection, staticSection } from '../../../server/domain/profile/sections.ts';
import {
  planSummary,
  summarisedSection,
  summarisedSections,
} from '../../../server/domain/profile/summary-request.ts';
import { DAY, memory, START } from './memories.ts';

const asked = (...sections: Parameters<typeof planSummary>[0]) => {
  const question = planSummary(sections);
  if (question === null) throw new Error('Nothing was asked.');
  return question;
};

describe('the request', () => {
  it('contains a memory of several sections once, and only sections with several lines to summarise', () => {
    const [tea, rows] = [memory('Ada prefers tea.'), memory('Ada rows.', { sourceCount: 2 })];
    const lasting = staticSection([tea, rows]);
    const topics = bucketSections(
      [tea, rows],
      [
        { key: 'preferences', description: 'What is preferred.' },
        { key: 'zeppelins', description: '' },
      ],
    );
    const { request, memories } = asked(lasting, dynamicSection([memory('Ada is in Rome.')]), ...topics);
    expect(memories.slice(0, 2)).toEqual([tea, rows]);
    expect(request.facts[0]).toEqual({ text: 'Ada prefers tea.', date: START });
    expect(request.sections).toEqual([{ name: 'static', about: lasting.about, facts: [0, 1] }]);
  });

  it('is not made for a short profile', () => {
    expect(planSummary([])).toBeNull();
    expect(planSummary([staticSection([memory('Ada rows.')]), dynamicSection([])])).toBeNull();
  });

  it('is bounded in number and length', () => {
    const many = Array.from({ length: 500 }, (_, n) => memory(`Fact number ${n}.`));
    expect(asked(staticSection(many)).memories).toHaveLength(120);
    const long = Array.from({ length: 50 }, (_, n) => memory(`Fact ${n} ${'x'.repeat(900)}.`));
    expect(asked(staticSection(long)).memories).toHaveLength(11);
  });
});

describe('the summary lines', () => {
  const lives = memory('Ada lives in Ghent.', { sourceCount: 9 });
  const cat = memory('Ada has a cat.', { sourceCount: 5 });
  const tea = memory('Ada prefers tea.', { sourceCount: 2 });
  const section = staticSection([lives, cat, tea]);
  const lines = (...written: SummaryLine[]) => summarisedSection(section, written, asked(section));

  it('stand in the place of their first fact, and facts that the model left out are kept', () => {
    expect(lines({ text: 'Ada lives in Ghent with a cat.', of: [1, 0] })).toEqual([
      'Ada lives in Ghent with a cat.',
      'Ada prefers tea.',
    ]);
    expect(lines({ text: 'Ada has a cat and prefers tea.', of: [1, 2] })).toEqual([
      'Ada lives in Ghent.',
      'Ada has a cat and prefers tea.',
    ]);
    expect(lines()).toEqual(['Ada lives in Ghent.', 'Ada has a cat.', 'Ada prefers tea.']);
  });

  it('are not used for a single fact, unless its text is too long', () => {
    expect(lines({ text: 'In Ghent lives Ada.', of: [0] })[0]).toBe('Ada lives in Ghent.');
    const essay = memory(`Ada wrote ${'very '.repeat(100)}much.`);
    const long = staticSection([essay, lives]);
    expect(summarisedSection(long, [{ text: 'Ada wrote much.', of: [1] }], asked(long))).toContain(
      'Ada wrote much.',
    );
  });

  it('are rejected when they share no word with their facts', () => {
    expect(lines({ text: 'Bob owes money.', of: [0, 1, 2] })).toEqual([
      'Ada lives in Ghent.',
      'Ada has a cat.',
      'Ada prefers tea.',
    ]);
  });

  it('are limited in number and length as ordinary lines are', () => {
    const many = staticSection(Array.from({ length: 100 }, (_, n) => memory(`Fact number ${n}.`)));
    const written = Array.from({ length: 100 }, (_, at) => ({
      text: `Fact ${at} ${'x'.repeat(500)}`,
      of: [at, 0],
    }));
    const found = summarisedSection(many, written, asked(many));
    expect(found).toHaveLength(40);
    expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(240);
  });

  it('are marked as their section marks lines: with the day of the newest fact, or as a summary', () => {
    const told = [
      memory('Ada sails.', { documentDate: START }),
      memory('Ada prefers to sail.', { documentDate: START + 3 * DAY }),
      memory('Ada likes tea.', { documentDate: START + DAY }),
    ];
    const recent = dynamicSection(told);
    const [topic] = bucketSections(told, [{ key: 'preferences', description: '' }]);
    if (!topic) throw new Error('There is no bucket.');
    const question = asked(recent, topic);
    const both = { text: 'Ada sails, and prefers to.', of: [0, 2] };
    expect(
      Object.fromEntries(
        summarisedSections(
          [recent, topic],
          new Map([
            ['dynamic', [both]],
            ['preferences', [{ text: 'Ada prefers sailing and tea.', of: [0, 1] }]],
          ]),
          question,
        ),
      ),
    ).toEqual({
      dynamic: ['[Recent] [2026-01-04] Ada sails, and prefers to.', '[Recent] [2026-01-02] Ada likes tea.'],
      preferences: ['[Summary] Ada prefers sailing and tea.'],
    });
  });
});
