// Tests of finding the charset of a text.
import { describe, expect, it, test } from 'vitest';
import { decodeText, detectCharset } from '../../../server/lib/text/charset.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

describe('the charset of a text', () => {
  test.each<[string, Buffer, string]>([
    ['UTF-8', Buffer.from('Łódź, 東京'), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from('\ufeffname'), 'utf-8'],
    ['UTF-16 with a mark', Buffer.from('\ufeffname', 'utf16le'), 'utf-16le'],
    ['UTF-16 without one', Buffer.from('The harbour museum', 'utf16le'), 'utf-16le'],
    ['UTF-16, the other way round', Buffer.from('The harbour museum', 'utf16le').swap16(), 'utf-16be'],
    ['ISO-2022-JP', latin1('\u001b$B%F%9%H\u001b(B'), 'iso-2022-jp'],
    ['a western text', latin1('Le musée a été déménagé à côté, près de la forêt.'), 'windows-1252'],
    ['one with the euro of ISO 8859-15', latin1('L\xe9t\xe9 co\xfbte 6 \xa4 au mus\xe9e'), 'iso-8859-15'],
  ])('is found: %s', (_name, bytes, charset) => expect(detectCharset(bytes)).toBe(charset));

  it('is the one in the header, unless the bytes contradict it', () => {
    const cyrillic = Buffer.from([0xcd, 0xce, 0xd1]);
    expect(detectCharset(cyrillic, { declared: 'koi8-r' })).toBe('koi8-r');
    expect(detectCharset(Buffer.from('Zoë'), { declared: 'iso-8859-1' })).toBe('utf-8');
    expect(detectCharset(cyrillic, { declared: 'no such thing' })).not.toBe('no such thing');
  });

  it('is the one that the page declares, when there is no header', () => {
    const page = Buffer.concat([latin1('<html><meta charset="windows-1251"><p>'), Buffer.from([0xcd, 0xce])]);
    expect(detectCharset(page, { html: true })).toBe('windows-1251');
    expect(detectCharset(page, { html: true, declared: 'koi8-r' })).toBe('koi8-r');
    expect(decodeText(page, { html: true })).toContain('НО');
  });

  it('is guessed quickly from the start of a long text', () => {
    // One that was read whole would outlast the time of a test.
    expect(detectCharset(latin1('Le musée a été déménagé. '.repeat(400_000)))).toEqual(expect.any(String));
  });
});
