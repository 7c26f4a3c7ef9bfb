import { describe, expect, it } from 'vitest';
import { shortened } from '../../../server/domain/profile/lines.ts';
import {
  bucketSections,
  dynamicSection,
  linesOf,
  staticSection,
} from '../../../server/domain/profile/sections.ts';
import { DAY, memory, START } from './memories.ts';

describe('the sections', () => {
  it('begin with what most documents say, or with what was said last', () => {
    const told = [
      memory('once', { documentDate: START + 2 * DAY }),
      memory('often', { sourceCount: 3, documentDate: START - 9 * DAY }),
      memory('later', { createdAt: START + 3 * DAY }),
    ];
    expect(linesOf(staticSection(told))).toEqual(['often', 'later', 'once']);
    expect(linesOf(dynamicSection(told))).toEqual([
      '[Recent] [2026-01-04] later',
      '[Recent] [2026-01-03] once',
      '[Recent] [2025-12-23] often',
    ]);
  });

  it('say one thing once, though it is known under several sets of tags', () => {
    expect(linesOf(staticSection([memory('Ada rows.'), memory('Ada rows.')]))).toEqual(['Ada rows.']);
  });

  it('name every bucket', () => {
    const buckets = [
      { key: 'boats', description: '' },
      { key: 'empty', description: 'Zeppelins' },
    ];
    const sections = bucketSections([memory('Ada has a boat.')], buckets);
    expect(sections.map((section) => [section.name, linesOf(section)])).toEqual([
      ['boats', ['[Recent] Ada has a boat.']],
      ['empty', []],
    ]);
  });
});

describe('a line', () => {
  it('is one line, cut between words where it is too long', () => {
    expect(shortened(' one\n\ttwo ')).toBe('one two');
    const long = shortened('word '.repeat(100));
    expect(long.length).toBeLessThanOrEqual(240);
    expect(long).toMatch(/word…$/);
    expect(shortened('x'.repeat(500))).toHaveLength(240);
    expect(shortened('😀'.repeat(200)).isWellFormed()).toBe(true);
  });
});
