import { describe, expect, it } from 'vitest';
import { readBytes } from '../fixtures/in-process.ts';
import { textOf } from '../fixtures/joined.ts';
import { docx, inW, p } from '../fixtures/office.ts';

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
  it('keeps its headings, whatever their style is called', async () => {
    expect(await markdown(p('One', 'H1') + p('Text.') + p('Two', 'H2') + p('Three', 'Own'))).toBe(
      '# One\n\nText.\n\n## Two\n\n# Three\n\n',
    );
  });

  it('keeps its lists and how deep they go', async () => {
    expect(await markdown(item('a', 0) + item('b', 1) + p('After.'))).toBe('- a\n  - b\n\nAfter.\n\n');
  });

  it('keeps its tables; one inside of a cell becomes text of that cell', async () => {
    const inner = `<w:tbl><w:tr>${cell(p('x'))}${cell(p('y'))}</w:tr></w:tbl>`;
    const table = `<w:tbl><w:tr>${cell(p('A'))}${cell(p('B|C'))}</w:tr><w:tr>${cell(p('1') + p('2'))}${cell(inner)}</w:tr></w:tbl>`;
    expect(await markdown(table)).toBe('| A | B\\|C |\n| --- | --- |\n| 1 2 | x ; y |\n\n');
  });

  it('leaves out what was deleted and keeps what was inserted', async () => {
    const changed =
      '<w:p><w:r><w:t>It was </w:t></w:r><w:del><w:r><w:delText>red</w:delText></w:r></w:del><w:ins><w:r><w:t>blue</w:t></w:r></w:ins></w:p>';
    expect(await markdown(changed)).toBe('It was blue\n\n');
  });

  it('puts footnotes and comments behind the text, and marks where they belong', async () => {
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

  it('says what its pictures show, and does not repeat what stands there for older programs', async () => {
    const picture =
      '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="urn:wp" descr="A map of the port"/></w:drawing></w:r></w:p>';
    const twice =
      '<w:p><w:r><mc:AlternateContent xmlns:mc="urn:mc"><mc:Choice><w:t>new</w:t></mc:Choice><mc:Fallback><w:t>old</w:t></mc:Fallback></mc:AlternateContent></w:r></w:p>';
    expect(await markdown(picture + twice)).toBe('[image: A map of the port]\n\nnew\n\n');
  });

  it('comes as several parts when it is long, each under its heading, and together they are the text', async () => {
    const sections = Array.from({ length: 40 }, (_, i) => p(`Chapter ${i}`, 'H1') + p('word '.repeat(1_000)));
    const { parts } = await readBytes(docx(sections.join(''), { styles }));
    expect(parts.length).toBeGreaterThan(2);
    expect(parts.map(({ continues }) => continues)).toEqual([undefined, ...parts.slice(1).map(() => true)]);
    expect(parts[1]?.heading).toMatch(/^Chapter \d+$/);
    expect(textOf(parts).match(/# Chapter \d+\n/g)).toHaveLength(40);
  });

  it('tells its title and who wrote it, unless its program made the title up', async () => {
    const { head } = await readBytes(docx(p('x')));
    expect(head).not.toHaveProperty('title');
  });
});
