// Tests of cutting a text to a length.
import { describe, expect, it } from 'vitest';
import { cutText } from '../../../server/lib/text/cut.ts';

describe('cutting a text', () => {
  it('leaves a short one as it is', () => {
    expect(cutText('short', 5)).toBe('short');
  });

  it('keeps the beginning', () => {
    expect(cutText('shorter', 5)).toBe('short');
    expect(cutText('short', 0)).toBe('');
  });

  it('drops a character that the limit would split', () => {
    expect(cutText('ab😀cd', 3)).toBe('ab');
    expect(cutText('ab😀cd', 4)).toBe('ab😀');
    expect(cutText('😀', 1)).toBe('');
  });

  it('accepts half characters that were already in the text', () => {
    expect(cutText('\ud83d\ud83dxx', 1)).toBe('\ud83d');
  });
});
