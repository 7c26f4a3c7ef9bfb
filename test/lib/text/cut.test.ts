// Tests of cutting a text to a length.
import { describe, expect, it } from 'vitest';
import { cutAtWord, cutText } from '../../../server/lib/text/cut.ts';

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

describe('cutting a text at a word', () => {
  it('leaves a text that fits, and ends a longer one with a whole word and an ellipsis', () => {
    expect(cutAtWord('one two', 7)).toBe('one two');
    expect(cutAtWord('one two, three', 12)).toBe('one two…');
  });

  it('ends behind a clause or a word in scripts without blanks', () => {
    expect(cutAtWord('公司将逐步关闭两家旧工厂，并且建设新工厂。', 15)).toBe('公司将逐步关闭两家旧工厂…');
    expect(cutAtWord('พรุ่งนี้ฉันจะไปเชียงใหม่', 22)).toBe('พรุ่งนี้ฉันจะไป…');
  });

  it('cuts a word that is longer than the room', () => {
    expect(cutAtWord('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…`);
    expect(cutAtWord('😀'.repeat(30), 10).isWellFormed()).toBe(true);
  });
});
