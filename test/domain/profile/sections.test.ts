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
