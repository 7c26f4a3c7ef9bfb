import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes, readJob } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';

describeKind('text', { sample: 'text/utf16le-nobom.txt', type: 'text', mimeType: /^text\/plain$/ });
describeKind('markdown', {
  sample: 'text/utf16le-nobom.txt',
  fileName: 'a.md',
  type: 'text',
  mimeType: /^text\/markdown$/,
});
describeKind('json', { sample: 'conv/messages.json', type: 'text', mimeType: /json$/ });
describeKind('code', { sample: 'text/code.py', fileName: 'a.py', type: 'text', mimeType: /^text\/plain$/ });

describe('a plain text', () => {
  it('is kept unchanged except for line ends and control characters', async () => {
    const { head, parts } = await readBytes(Buffer.from('\ufeffa\r\nb\rc\u0001\u0007'));
    expect(head).toMatchObject({ kind: 'text', form: 'prose' });
    expect(parts).toEqual([{ text: 'a\nb\nc' }]);
  });

  it('is detected by its beginning when it is sent as a string', async () => {
    expect((await readJob({ text: '{"a": 1}' })).head?.kind).toBe('json');
    expect((await readJob({ text: '# Title', kind: 'markdown' })).head?.form).toBe('markdown');
    await expect(readJob({ text: ' \n' })).rejects.toMatchObject({ code: 'empty_file' });
  });

  it('is handed over in batches when it has 10 MB, never cut inside a character', async () => {
    const text = 'The harbour 🏛 museum. '.repeat(300_000);
    const { parts, batches } = await readBytes(Buffer.from(text));
    expect(batches).toBeGreaterThan(20);
    expect(textOf(parts) === text).toBe(true);
    expect(parts.every((part) => part.text.isWellFormed() && part.text.length <= 256 * 1024)).toBe(true);
    expect(parts.slice(1).every(({ continues }) => continues === true)).toBe(true);
  });

  it('is refused when it has more than 30 million characters', async () => {
    await expect(readBytes(Buffer.alloc(30_000_001, 'a'))).rejects.toMatchObject({ code: 'text_too_large' });
  });
});
