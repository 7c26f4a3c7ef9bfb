import { describe, expect, it } from 'vitest';
import { cutText } from '../../../server/lib/text/cut.ts';

describe('cutting a text', () => {
  it('leaves a short one as it is', () => {
    expect(cutText('short', 5)).toBe('short');
  });

  it('takes the beginning', () => {
    expect(cutText('shorter', 5)).toBe('short');
    expect(cutText('short', 0)).toBe('');
  });

  it('leaves out a character that it would cut in two', () => {
    expect(cutText('ab😀cd', 3)).toBe('ab');
    expect(cutText('ab😀cd', 4)).toBe('ab😀');
    expect(cutText('😀', 1)).toBe('');
  });

  it('bears halves of characters that were there before', () => {
    expect(cutText('\ud83d\ud83dxx', 1)).toBe('\ud83d');
  });
});
