import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { characterErrorRate } from '../fixtures/error-rate.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';

const samples = join(import.meta.dirname, '../../../fixtures/samples');

const read = (body: string) => readBytes(Buffer.from(`{\\rtf1\\ansi ${body}}`, 'latin1'));
const markdown = async (body: string): Promise<string> => textOf((await read(body)).parts);
const raw = String.raw;

describeKind('rtf', { sample: 'office/base.rtf', type: 'text', mimeType: /rtf$/ });

describe('an RTF', () => {
  it('is read exactly when an office program wrote it', async () => {
    const { parts } = await readBytes(readFileSync(join(samples, 'office/base.rtf')));
    const truth = readFileSync(join(samples, 'truth/base.txt'), 'utf8');
    expect(characterErrorRate(textOf(parts).replace(/^# /gm, ''), truth)).toBeLessThan(0.01);
  });

  it('keeps its headings, by the name of their style or by their outline level', async () => {
    const styles = raw`{\stylesheet{\s1 heading 1;}{\s9\outlinelevel1 Own;}}`;
    expect(
      await markdown(raw`${styles}\s1 One\par\pard Text.\par\pard\s9 Two\par\pard\outlinelevel2 Three\par`),
    ).toBe('# One\n\nText.\n\n## Two\n\n### Three\n\n');
  });

  it('keeps its lists, tables and notes', async () => {
    expect(await markdown(raw`{\listtext 1.}\ls1 a\par\ilvl1 b\par\pard After.\par`)).toBe(
      '- a\n  - b\n\nAfter.\n\n',
    );
    expect(
      await markdown(raw`\trowd\intbl A\cell B|C\cell\row\intbl 1\par 2\cell x\cell\row\pard End.\par`),
    ).toBe('| A | B\\|C |\n| --- | --- |\n| 1 2 | x |\n\nEnd.\n\n');
    expect(await markdown(raw`Tides{\footnote Twice a day.} turn.\par`)).toBe(
      'Tides[^1] turn.\n\n[^1]: Twice a day.\n\n',
    );
  });

  it('is decoded by the code page of the document and of its fonts', async () => {
    const fonts = raw`\ansicpg1251{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset128 B;}}`;
    expect(await markdown(raw`${fonts}\f0\'cf\'f0\'e8 \f1\'83\'65\'83\'58`)).toBe('При テス\n\n');
    expect(await markdown(raw`caf\'e9 \emdash \ldblquote x\rdblquote`)).toBe('café —“x”\n\n');
  });

  it('shows a Unicode character once, without its fallback', async () => {
    expect(await markdown(raw`\u8364? \uc2\u8364\'80\'80! {\uc0\u8364}x \uc1\u-10179?\u-8704?`)).toBe(
      '€ €! €x 😀\n\n',
    );
  });

  it('leaves out hidden and deleted text, pictures and unknown groups', async () => {
    const hidden = raw`a{\v b}{\deleted c}{\pict 0102}{\*\unknown d}{\header e}{\field{\*\fldinst HYPERLINK "f"}{\fldrslt g}}`;
    expect(await markdown(hidden)).toBe('ag\n\n');
  });

  it('has its title and its author', async () => {
    const { head } = await read(raw`{\info{\title Of tides}{\author Ana}}Text.`);
    expect(head).toMatchObject({ title: 'Of tides', metadata: { author: 'Ana' } });
  });
});

describe('a damaged RTF', () => {
  it('is read up to its end when it is cut off, and a note says so', async () => {
    const { parts, done } = await readBytes(Buffer.from(raw`{\rtf1 Before\par {\b in the mid`));
    expect(textOf(parts)).toBe('Before\n\nin the mid\n\n');
    expect(done.note).toBe('The file is incomplete; the text up to its end was read.');
  });

  it('is refused when it is nested 10,000 deep', async () => {
    await expect(read('{'.repeat(10_000))).rejects.toMatchObject({ code: 'too_deep' });
  });

  it('is read past the braces in its binary data', async () => {
    expect(await markdown(raw`a{\bin4 }}{{}b`)).toBe('ab\n\n');
    expect(await markdown(raw`a{\pict\bin99999999999 x}b`)).toBe('a\n\n');
    expect(await markdown(raw`a\bin-5 b`)).toBe('ab\n\n');
  });

  it('is refused when it has no text', async () => {
    await expect(read(raw`{\pict 00}`)).rejects.toMatchObject({ code: 'no_text_found' });
  });

  it('is read in one linear pass when it has many megabytes', async () => {
    const body = raw`word {\b bold} \'e9\par `;
    const { parts } = await read(body.repeat(200_000) + raw`{\pict ${'ab'.repeat(2_000_000)}}`);
    expect(textOf(parts)).toHaveLength('word bold é\n\n'.length * 200_000);
  }, 60_000);

  it('is read under another name, and a text about RTF stays a text', async () => {
    expect((await readBytes(Buffer.from('Files begin with {\\rtf1.'))).head?.kind).toBe('text');
    const named = await readBytes(Buffer.from('{\\rtf1 Hello}'), { fileName: 'a.doc' });
    expect(named.head?.kind).toBe('rtf');
  });
});
