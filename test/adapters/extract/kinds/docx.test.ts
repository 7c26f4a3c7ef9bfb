import { describe, expect, it } from 'vitest';
import { describeKind } from '../fixtures/contract.ts';
import { readBytes } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';
import { docx, inW, p } from '../fixtures/office.ts';

describeKind('docx', { sample: 'office/rich.docx', type: 'text', mimeType: /wordprocessingml/ });

const styles = inW(
  'styles',
  '<w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:name w:val="Chapter"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>',
);
const item = (text: string, level: number): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const cell = (inner: string): string => `<w:tc>${inner}</w:tc>`;

const markdown = async (body: string, parts: Record<string, string> = { styles }): Promise<string> =>
  textOf((await readBytes(docx(body, parts))).parts);

describe('a DOCX', () => {
  it('keeps its headings under any name of their style', async () => {
    expect(await markdown(p('One', 'H1') + p('Text.') + p('Two', 'H2') + p('Three', 'Own'))).toBe(
      '# One\n\nText.\n\n## Two\n\n# Three\n\n',
    );
  });

  it('keeps its lists and their depth', async () => {
    expect(await markdown(item('a', 0) + item('b', 1) + p('After.'))).toBe('- a\n  - b\n\nAfter.\n\n');
  });

  it('keeps its tables; a table inside a cell becomes text of that cell', async () => {
    const inner = `<w:tbl><w:tr>${cell(p('x'))}${cell(p('y'))}</w:tr></w:tbl>`;
    const table = `<w:tbl><w:tr>${cell(p('A'))}${cell(p('B|C'))}</w:tr><w:tr>${cell(p('1') + p('2'))}${cell(inner)}</w:tr></w:tbl>`;
    expect(await markdown(table)).toBe('| A | B\\|C |\n| --- | --- |\n| 1 2 | x ; y |\n\n');
  });

  it('leaves out deleted text and keeps inserted text', async () => {
    const changed =
      '<w:p><w:r><w:t>It was </w:t></w:r><w:del><w:r><w:delText>red</w:delText></w:r></w:del><w:ins><w:r><w:t>blue</w:t></w:r></w:ins></w:p>';
    expect(await markdown(changed)).toBe('It was blue\n\n');
  });

  it('puts footnotes and comments behind the text, and marks their places', async () => {
    const body =
      '<w:p><w:r><w:t>Tides</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:t> turn.</w:t></w:r></w:p>';
    const footnotes = inW(
      'footnotes',
      `<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote><w:footnote w:id="2">${p('Twice a day.')}</w:footnote>`,
    );
    const comments = inW('comments', `<w:comment w:id="0" w:author="Ana">${p('Check this.')}</w:comment>`);
    expect(await markdown(body, { footnotes, comments })).toBe(
      'Tides[^2] turn.\n\n## Footnotes\n\n[^2]: Twice a day.\n\n## Comments\n\nAna: Check this.\n\n',
    );
  });

  it('describes its pictures, and does not repeat the content for older programs', async () => {
    const picture =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="urn:wp" descr="A map of the port"/></w:drawing></w:r></w:p>';
    const twice =
      '<w:p><w:r><mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><w:t>new</w:t></mc:Choice><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>';
    expect(await markdown(picture + twice)).toBe('[image: A map of the port]\n\nnew\n\n');
  });

  it('is cut into several parts when it is long, each under its heading, which together are the text', async () => {
    const sections = Array.from({ length: 40 }, (_, i) => p(`Chapter ${i}`, 'H1') + p('word '.repeat(1_000)));
    const { parts } = await readBytes(docx(sections.join(''), { styles }));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ continues }) => continues)).toEqual([undefined, ...parts.slice(1).map(() => true)]);
    expect(parts[1]?.heading).toMatch(/^Chapter \d+$/);
    expect(textOf(parts).match(/# Chapter \d+\n/g)).toHaveLength(40);
  });

  it('has its title and author, except for a title that its program wrote by default', async () => {
    const { head } = await readBytes(docx(p('x')));
    expect(head).not.toHaveProperty('title');
  });
});
