// Tests of choosing and writing the lines of the sections of a profile.
import { describe, expect, it } from 'vitest';
import { shortLine } from '../../../server/domain/profile/lines.ts';
import {
  bucketSections,
  dynamicSection,
  sectionLines,
  staticSection,
} from '../../../server/domain/profile/sections.ts';
import { DAY, memory, START } from './memories.ts';

describe('the sections', () => {
  it('begin with the statements of most documents, or with the latest statements', () => {
    const told = [
      memory('once', { documentDate: START + 2 * DAY }),
      memory('often', { sourceCount: 3, documentDate: START - 9 * DAY }),
      memory('later', { createdAt: START + 3 * DAY }),
    ];
    expect(sectionLines(staticSection(told))).toEqual(['often', 'later', 'once']);
    expect(sectionLines(dynamicSection(told))).toEqual([
      '[Recent] [2026-01-04] later',
      '[Recent] [2026-01-03] once',
      '[Recent] [2025-12-23] often',
    ]);
  });

  it('begin with what a reader has to know first, whatever most documents say', () => {
    const told = [
      'The user likes jazz.',
      'Ben works in Ulm.',
      "The user's sister Ida is a nurse.",
      'The user is allergic to nuts.',
      'The user has been to Rome.',
      'The user works as a roofer.',
      'The user speaks Danish.',
      'The user lives in Kiel.',
      "The user's name is Ada.",
    ].map((text, at) => memory(text, { sourceCount: 9 - at }));
    expect(sectionLines(staticSection(told))).toEqual([
      "The user's name is Ada.",
      'The user lives in Kiel.',
      'The user works as a roofer.',
      "The user's sister Ida is a nurse.",
      'The user is allergic to nuts.',
      'The user speaks Danish.',
      'The user likes jazz.',
      'The user has been to Rome.',
      'Ben works in Ulm.',
    ]);
  });

  it('contain the fuller of two statements, at the place of the first', () => {
    const told = [
      memory('Ada lives in Oslo', { sourceCount: 3 }),
      memory('Ada rows', { sourceCount: 2 }),
      memory('Ada lives in Oslo with two friends'),
      memory('Ada does not live in Oslo'),
      memory("Ada's friend lives in Oslo"),
    ];
    expect(sectionLines(staticSection(told))).toEqual([
      'Ada lives in Oslo with two friends',
      'Ada does not live in Oslo',
      "Ada's friend lives in Oslo",
      'Ada rows',
    ]);
  });

  it('contain a statement once, though it is stored under several sets of tags', () => {
    expect(sectionLines(staticSection([memory('Ada rows.'), memory('Ada rows.')]))).toEqual(['Ada rows.']);
  });

  it('contain every bucket', () => {
    const buckets = [
      { key: 'boats', description: '' },
      { key: 'empty', description: 'Zeppelins' },
    ];
    const sections = bucketSections([memory('Ada has a boat.')], buckets);
    expect(sections.map((section) => [section.name, sectionLines(section)])).toEqual([
      ['boats', ['[Recent] Ada has a boat.']],
      ['empty', []],
    ]);
  });
});

describe('the text of a line', () => {
  it('is a single line, cut between words where it is too long', () => {
    expect(shortLine(' one\n\ttwo ')).toBe('one two');
    const long = shortLine('word '.repeat(100));
    expect(long.length).toBeLessThanOrEqual(240);
    expect(long).toMatch(/word…$/);
    expect(shortLine('x'.repeat(500))).toHaveLength(240);
    expect(shortLine('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});
