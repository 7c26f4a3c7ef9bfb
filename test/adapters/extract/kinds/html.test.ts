import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { cleanHtml } from '../../../../server/adapters/extract/html/clean.ts';
import { readPage } from '../../../../server/adapters/extract/html/read.ts';
import { cpuMs } from '../../../domain/ingestion/fixtures/cost.ts';
import { timePasses } from '../../../support/until.ts';
import { describeKind } from '../fixtures/contract.ts';
import { article, attributes, deep, scripted, shell } from '../fixtures/pages.ts';

describeKind('html', { sample: 'html/article.html', type: 'webpage', mimeType: /^text\/html$/ });

const markdown = (text: string, url?: string): string => readPage({ text, url }).text;

describe('a page', () => {
  const page = readPage({ text: article, url: 'https://news.example/2026/museum' });

  it('becomes the Markdown of its article', () => {
    expect(page.text).toContain('The harbour museum opened in 1924');
    expect(page.text).toContain('## Floors');
    expect(page.text).toMatch(/\| Floor \| Use \|\n\| --- \| --- \|\n\| Ground \| Boats \|/);
    expect(page.text).toMatch(/- +first item\n- +second item/);
    expect(page.text).toContain('```\nconst x = 1;\nconst y = 2;\n```');
    expect(page.text).toContain(
      '[the site](https://news.example/more?a=1&b=2), a script and [image: a map].',
    );
  });

  it('loses menus, scripts, styles and hidden text', () => {
    expect(page.text).not.toMatch(/SECTION|COPYRIGHT|HIDDEN|color|CHANGED|javascript/);
  });

  it('has its title, author, site and date', () => {
    expect(page.title).toBe('The Harbour Museum');
    expect(page.metadata).toEqual({
      author: 'Jo Writer',
      site: 'City News',
      published: '2026-05-01T10:00:00Z',
      language: 'en',
    });
  });

  it('runs no script and loads nothing', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const text = markdown(scripted(`http://127.0.0.1:${port}`));
    await timePasses(200, 'a script that ran would ask within this time');
    server.close();
    expect(asked).toEqual([]);
    expect(text).toContain('The grain store has four floors.');
    expect(text).not.toMatch(/javascript:|data:|script/);
  });
});

describe('a fragment', () => {
  it('is kept completely, even when it is short', () => {
    const { text, title } = readPage({
      text: '<h1>Note</h1><p>Just a <b>short</b> one.</p><ul><li>a<li>b</ul>',
    });
    expect(text).toMatch(/^# Note\n\nJust a \*\*short\*\* one\.\n\n- +a\n- +b$/);
    expect(title).toBe('Note');
  });

  it('loses hidden text, and keeps the text of elements that show tags as text', () => {
    expect(markdown('<p>a</p><p style="visibility:hidden">b</p><p aria-hidden="true">c</p>')).toBe('a');
    expect(markdown('<p>a</p><xmp><p>b</p></xmp><plaintext>c<p>d')).toMatch(/^a\s+<p>b<\/p>\s+c<p>d$/);
  });
});

describe('HTML without text', () => {
  const empty: [name: string, text: string, code: string][] = [
    ['nothing', ' \n ', 'empty_file'],
    ['the shell of an app', shell, 'no_text_found'],
    ['a script', '<script>let a = "text";</script>', 'no_text_found'],
    ['a comment', '<!-- text -->', 'no_text_found'],
    ['an empty page', '<html></html>', 'no_text_found'],
  ];
  test.each(empty)('is refused with an explanation: %s', (_name, text, code) => {
    expect(() => markdown(text)).toThrow(
      expect.objectContaining({
        name: 'IngestError',
        code,
        retryable: false,
        message: expect.stringMatching(/\.$/),
      }),
    );
  });
});

describe('hostile HTML', () => {
  it('keeps its text when it is nested 20,000 deep', () =>
    expect(markdown(deep(20_000))).toBe('The end of it.'));

  it('keeps its text when it has 200,000 attributes', () =>
    expect(markdown(attributes(200_000))).toBe('Hello there'));

  it('is cleaned in one pass to a bounded tree', () => {
    for (const piece of ['<i><b></i>', '<', '<!--', '&', '<p a=', '</p>', '<script>', '<![CDATA[', '<p "']) {
      let clean = '';
      const cost = cpuMs(() => {
        clean = cleanHtml(piece.repeat(500_000 / piece.length));
      });
      expect(cost).toBeLessThan(3_000);
      expect(clean.length).toBeLessThan(3_000_000);
    }
    expect(cleanHtml('<b>'.repeat(40_000)).match(/<b>/g)).toHaveLength(256);
    expect(cleanHtml('<i>x</i>'.repeat(50), { depth: 10, elements: 20 }).match(/<i>/g)).toHaveLength(20);
  });

  it('is refused when it opens elements without end', () => {
    expect(() => markdown('<b>'.repeat(200_000))).toThrow(
      expect.objectContaining({ name: 'IngestError', code: 'too_deep' }),
    );
  });

  it('has a closing tag for each opening tag after cleaning', () => {
    const clean = cleanHtml(`<div>${'<p><b>x</p>'.repeat(40)}</div><link><br><script><p></script>`, {
      depth: 3,
      elements: 30,
    });
    const opened = clean.match(/<(?!br|\/)\w+/g) ?? [];
    expect(clean.match(/<\/\w+/g)).toHaveLength(opened.length);
  });
});
