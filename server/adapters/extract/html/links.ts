// The links of a page and what it says about itself to programs that crawl, in one pass and without a DOM.
import { Parser } from 'htmlparser2';
import { IngestError } from '../../../core/errors.ts';
import { sha256 } from '../../../lib/hash.ts';
import type { LinkedPage } from '../port.ts';
import { readPage } from './read.ts';

const MOST_LINKS = 5_000;
const LONGEST_ADDRESS = 2_048;
const LONGEST_TITLE = 300;
/** Names in `<meta>` whose directives are for us. */
const ROBOTS = new Set(['robots', 'memoir']);

const WITHOUT_TEXT = new Set(['no_text_found', 'empty_file']);

const directiveWords = (value: string | undefined): string[] => (value ?? '').toLowerCase().split(/[\s,]+/);

/** A page without readable text has the mark of the empty text. */
const readableText = (text: string, url: string): string => {
  try {
    return readPage({ text, url }).text;
  } catch (error) {
    if (error instanceof IngestError && WITHOUT_TEXT.has(error.code)) return '';
    throw error;
  }
};

export const readLinkedPage = (html: string, url: string): LinkedPage => {
  const links = new Set<string>();
  const directives = new Set<string>();
  let base = url;
  let canonical: string | null = null;
  let title: string | null = null;
  const complete = (address: string | undefined): string | null => {
    if (address === undefined || address.length > LONGEST_ADDRESS) return null;
    const found = URL.parse(address.trim(), base);
    return found !== null && /^https?:$/.test(found.protocol) ? found.href : null;
  };
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, { href, rel, name: meta = '', content }) {
      if (name === 'title' && title === null) [inTitle, title] = [true, ''];
      if (name === 'base') base = complete(href) ?? base;
      if (name === 'meta' && ROBOTS.has(meta.toLowerCase()))
        for (const word of directiveWords(content)) directives.add(word);
      if (name === 'link' && directiveWords(rel).includes('canonical')) canonical ??= complete(href);
      if ((name !== 'a' && name !== 'area') || links.size >= MOST_LINKS) return;
      const link = directiveWords(rel).includes('nofollow') ? null : complete(href);
      if (link !== null) links.add(link);
    },
    ontext(text) {
      if (inTitle && title !== null && title.length < LONGEST_TITLE) title += text;
    },
    onclosetag(name) {
      if (name === 'title') inTitle = false;
    },
  });
  parser.end(html);
  return {
    links: [...links],
    canonical,
    title: tidyTitle(title),
    textMark: sha256(readableText(html, url)),
    noIndex: directives.has('noindex') || directives.has('none'),
    noFollow: directives.has('nofollow') || directives.has('none'),
  };
};

const tidyTitle = (title: string | null): string | null =>
  title?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE).toWellFormed() || null;
