// HTML to Markdown: the article of a page, or all of a fragment. Nothing is executed and nothing is loaded.
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';
import { failure } from '../failures.ts';
import { cleanHtml } from '../html/clean.ts';
import { toMarkdown } from '../html/markdown.ts';
import { type PageFacts, pageFacts } from '../html/page-facts.ts';
import type { Content, Sink } from './contract.ts';

/** A content may have 10 MiB; addresses made whole could otherwise turn a page into gigabytes. */
const LONGEST_TEXT = 10 * 1024 * 1024;
/** An article shorter than this, or than half of its page, is only taken when it is that half. */
const SHORT_ARTICLE = 200;
const MOST_ELEMENTS = 200_000;

export async function extractHtml(content: Content, sink: Sink): Promise<void> {
  const { text, title, metadata } = readHtml(content);
  sink.begin({ form: 'markdown', title, metadata });
  await sink.part({ text });
}

export interface ReadPage extends PageFacts {
  readonly text: string;
}

export function readHtml({ text, url }: Pick<Content, 'text' | 'url'>): ReadPage {
  if (text.trim() === '') throw failure('empty_file', { next: 'Send the HTML of the page.' });
  const dom = new JSDOM(cleanHtml(text), { url: baseOf(url), virtualConsole: new VirtualConsole() });
  try {
    const { document } = dom.window;
    const wholePage = /<(?:html|body)[\s>]/i.test(text.slice(0, 4_096));
    return checked((wholePage ? article(document) : null) ?? everything(document));
  } finally {
    dom.window.close();
  }
}

const baseOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? url : 'about:blank';

function checked(page: ReadPage): ReadPage {
  if (page.text === '')
    throw failure('no_text_found', {
      what: 'No text was found in this HTML; the page may need JavaScript to show any.',
      next: 'Send its text, or the HTML as a browser shows it.',
    });
  if (page.text.length > LONGEST_TEXT)
    throw failure('text_too_large', { what: 'The text of this HTML is longer than 10 MiB.' });
  return page;
}

/** Readability's article; null where it finds none or cuts too much of a short page. */
function article(document: Document): ReadPage | null {
  const total = (document.body?.textContent ?? '').replace(/\s+/g, ' ').trim().length;
  if (total === 0) return null;
  const copy = document.cloneNode(true) as Document;
  const found = new Readability<HTMLElement>(copy, {
    serializer: (node) => node as HTMLElement,
    charThreshold: SHORT_ARTICLE,
    maxElemsToParse: MOST_ELEMENTS,
  }).parse();
  const length = found?.textContent?.trim().length ?? 0;
  if (!found?.content || length < Math.min(SHORT_ARTICLE, total / 2)) return null;
  return { text: toMarkdown(found.content), ...pageFacts(document, found) };
}

/** All of the body but what is hidden or only leads elsewhere. */
function everything(document: Document): ReadPage {
  const facts = pageFacts(document, null);
  // The cleaning pass left a style only where it hides the element.
  for (const hidden of document.querySelectorAll('[hidden],[aria-hidden="true"],[style]')) hidden.remove();
  return { text: document.body === null ? '' : toMarkdown(document.body), ...facts };
}
