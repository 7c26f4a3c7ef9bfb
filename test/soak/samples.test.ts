import { describe, expect, test } from 'vitest';
import { judge, type Sample } from './samples.ts';

const steady: Sample = {
  residentMb: 400,
  handles: 50,
  threads: 13,
  files: 100,
  counts: { calls: 1000, failed: 0, documents: 100 },
};

/** An hour in which a field grows by so much a minute. */
const hourOf = (field: 'residentMb' | 'handles' | 'threads' | 'files', growth: number): Sample[] =>
  Array.from({ length: 60 }, (_, minute) => ({ ...steady, [field]: steady[field] + growth * minute }));

describe('an hour of soak', () => {
  test('passes where memory, handles and files stay as they are', () => {
    expect(judge(hourOf('residentMb', 0))).toEqual([]);
  });

  test('passes where the memory rises for ten minutes and stays there', () => {
    const rising = hourOf('residentMb', 0).map((sample, minute) => ({
      ...sample,
      residentMb: 200 + 20 * Math.min(minute, 10),
    }));
    expect(judge(rising)).toEqual([]);
  });

  test('fails where the memory grows by a megabyte a minute', () => {
    expect(judge(hourOf('residentMb', 1))).toEqual([expect.stringContaining('The memory grew to 11')]);
  });

  test.each(['handles', 'threads', 'files'] as const)('fails where the %s grow', (field) => {
    expect(judge(hourOf(field, 1))).toEqual([expect.stringContaining(`The ${field} grew from`)]);
  });

  test('fails where a call failed', () => {
    const failed = hourOf('files', 0).map((sample) => ({
      ...sample,
      counts: { ...sample.counts, failed: 1 },
    }));
    expect(judge(failed)).toEqual(['1 calls failed.']);
  });
});
