// Reads HTML: the article of a page, or all of a fragment, as Markdown. Nothing is executed and nothing is loaded.
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';
import type { Content } from '../contract.ts';
import { failure } from '../failures.ts';
import { type CleanOptions, cleanHtml } from './clean.ts';
import { toMarkdown } from './markdown.ts';
import { type PageFacts, pageFacts } from './page-facts.ts';

/** A content may have 10 MiB; completed addresses could otherwise turn a page into gigabytes. */
const LONGEST_TEXT = 10 * 1024 * 1024;
/** An article shorter than this is only taken when it is at least half of its page. */
const SHORT_ARTICLE = 200;
/** Finding the article visits each element many times. A page with more elements is read as a whole. */
const MOST_ELEMENTS = 20_000;

export interface ReadPage extends PageFacts {
  readonly text: string;
}

export const readPage = ({ text, url }: Pick<Content, 'text' | 'url'>): ReadPage => {
  if (text.trim() === '') throw failure('empty_file', { next: 'Send the HTML of the page.' });
  return withDocument(text, { url }, (document) => {
    const hasPage = /<(?:html|body)[\s>]/i.test(text.slice(0, 4_096));
    return checkedPage((hasPage ? readArticle(document) : null) ?? readWholeBody(document));
  });
};

/** All the text of one XHTML file, as in a book; "" where it has none. */
export const readChapter = (xhtml: string): string =>
  withDocument(xhtml, { xhtml: true }, (document) => readWholeBody(document).text);

/** All the text of a piece of HTML, as in a mail: nothing is taken for the frame of an article. */
export const readFragment = (html: string): string =>
  withDocument(html, {}, (document) => readWholeBody(document).text);

interface DocumentOptions extends CleanOptions {
  readonly url?: string | undefined;
}

const withDocument = <T>(
  html: string,
  { url, ...options }: DocumentOptions,
  use: (document: Document) => T,
): T => {
  const dom = new JSDOM(cleanHtml(html, { ...options, addressLength: url?.length ?? 0 }), {
    url: url !== undefined && URL.canParse(url) ? url : 'about:blank',
    virtualConsole: new VirtualConsole(),
  });
  try {
    return use(dom.window.document);
  } finally {
    dom.window.close();
  }
};

const checkedPage = (page: ReadPage): ReadPage => {
  if (page.text === '')
    throw failure('no_text_found', {
      what: 'No text was found in this HTML; the page may need JavaScript to show any.',
      next: 'Send its text, or the HTML as a browser shows it.',
    });
  if (page.text.length > LONGEST_TEXT)
    throw failure('text_too_large', { what: 'The text of this HTML is longer than 10 MiB.' });
  return page;
};

/** The article that Readability finds; null where it finds none, or cuts too much of a short page. */
const readArticle = (document: Document): ReadPage | null => {
  const total = (document.body?.textContent ?? '').replace(/\s+/g, ' ').trim().length;
  if (total === 0 || document.getElementsByTagName('*').length > MOST_ELEMENTS) return null;
  const copy = document.cloneNode(true) as Document;
  const found = new Readability<HTMLElement>(copy, {
    serializer: (node) => node as HTMLElement,
    charThreshold: SHORT_ARTICLE,
  }).parse();
  const length = found?.textContent?.trim().length ?? 0;
  if (!found?.content || length < Math.min(SHORT_ARTICLE, total / 2)) return null;
  return { text: toMarkdown(found.content), ...pageFacts(document, found) };
};

/** All of the body except hidden text and links without text. */
const readWholeBody = (document: Document): ReadPage => {
  const facts = pageFacts(document, null);
  // The cleaning keeps a style only where it hides the element.
  for (const hidden of document.querySelectorAll('[hidden],[aria-hidden="true"],[style]')) hidden.remove();
  return { text: document.body === null ? '' : toMarkdown(document.body), ...facts };
};
