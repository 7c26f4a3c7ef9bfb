// Tests of the links of a page.
import { describe, expect, it } from 'vitest';
import { readLinkedPage } from '../../../server/adapters/extract/html/links.ts';

const URL_OF_PAGE = 'https://example.com/docs/page';
const read = (html: string) => readLinkedPage(html, URL_OF_PAGE);

describe('the links of a page', () => {
  it('are completed, by the base of the page too, and each is named once', () => {
    expect(read('<a href="x">1</a><a href="/y?a=1&amp;b=2">2</a><area href="x">').links).toEqual([
      'https://example.com/docs/x',
      'https://example.com/y?a=1&b=2',
    ]);
    expect(read('<base href="https://other.example/b/"><a href="x">1</a>').links).toEqual([
      'https://other.example/b/x',
    ]);
  });

  it('leave out those that say nofollow, and those that are no web addresses', () => {
    const html =
      '<a rel="noopener NoFollow" href="/a">1</a><a href="mailto:a@b.c">2</a><a href="http://[">3</a>';
    expect(read(html).links).toEqual([]);
  });

  it.each([
    ['<meta name="robots" content="noindex, nofollow">', true, true],
    ['<meta name="ROBOTS" content="None">', true, true],
    ['<meta name="memoir" content="noindex">', true, false],
    ['<meta name="googlebot" content="noindex">', false, false],
  ])('%s: noindex %s, nofollow %s', (html, noIndex, noFollow) => {
    expect(read(html)).toMatchObject({ noIndex, noFollow });
  });

  it('come with title and canonical address', () => {
    const html =
      '<link rel="canonical" href="/docs/one"><title>One\n  page</title><svg><title>Icon</title></svg>';
    expect(read(html)).toMatchObject({ canonical: 'https://example.com/docs/one', title: 'One page' });
  });

  it('come with a mark of the text, which markup does not change', () => {
    const html = (nonce: string, text: string) =>
      `<body data-n="${nonce}"><script>${nonce}</script><p>${text}</p>`;
    const { textMark } = read(html('1', 'The same words.'));
    expect(read(html('2', 'The same words.')).textMark).toBe(textMark);
    expect(read(html('1', 'Other words.')).textMark).not.toBe(textMark);
    expect(read(' ').textMark).toBe(read('<script>1</script>').textMark);
  });

  it('are limited', () => {
    const html = Array.from({ length: 6_000 }, (_, i) => `<a href="/${i}">x</a>`).join('');
    expect(read(html).links).toHaveLength(5_000);
    expect(read(`<a href="/${'x'.repeat(3_000)}">x</a>`).links).toEqual([]);
  });
});
