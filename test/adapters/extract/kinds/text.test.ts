import { describe, expect, it } from 'vitest';
import { readBytes, readJob } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';

describe('a plain text', () => {
  it('is kept as it is, but for its line ends and what no text holds', async () => {
    const { head, parts } = await readBytes(Buffer.from('\ufeffa\r\nb\rc\u0001\u0007'));
    expect(head).toMatchObject({ kind: 'text', form: 'prose' });
    expect(parts).toEqual([{ text: 'a\nb\nc' }]);
  });

  it('given as a string is told by how it begins', async () => {
    expect((await readJob({ text: '{"a": 1}' })).head?.kind).toBe('json');
    expect((await readJob({ text: '# Title', kind: 'markdown' })).head?.form).toBe('markdown');
    await expect(readJob({ text: ' \n' })).rejects.toMatchObject({ code: 'empty_file' });
  });

  it('of 10 MB comes in batches that together are the text, never cut inside of a character', async () => {
    const text = 'The harbour 🏛 museum. '.repeat(300_000);
    const { parts, batches } = await readBytes(Buffer.from(text));
    expect(batches).toBeGreaterThan(20);
    expect(textOf(parts) === text).toBe(true);
    expect(parts.every((part) => part.text.isWellFormed() && part.text.length <= 256 * 1024)).toBe(true);
    expect(parts.slice(1).every(({ continues }) => continues === true)).toBe(true);
  });

  it('of more than 30 million characters is refused', async () => {
    await expect(readBytes(Buffer.alloc(30_000_001, 'a'))).rejects.toMatchObject({ code: 'text_too_large' });
  });
});
