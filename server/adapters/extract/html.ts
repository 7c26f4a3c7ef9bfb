// HTML to Markdown: the article of a page, or all of a fragment. Nothing is executed and nothing is loaded.
import { Readability } from '@mozilla/readability';
import { JSDOM, VirtualConsole } from 'jsdom';
import { IngestError } from '../../errors.ts';
import { cleanHtml } from './html-clean.ts';
import { toMarkdown } from './html-markdown.ts';
import type { Extracted, ExtractJob } from './port.ts';

/** A content may have 10 MiB; addresses made whole could otherwise turn a page into gigabytes. */
const LONGEST_TEXT = 10 * 1024 * 1024;
/** An article shorter than this, or than half of its page, is only taken when it is that half. */
const SHORT_ARTICLE = 200;
const MOST_ELEMENTS = 200_000;
const LONGEST_TITLE = 300;

export function extractHtml({ text, url }: ExtractJob): Extracted {
  if (text.trim() === '')
    throw new IngestError('empty_file', 'The content is empty. Send the HTML of the page.');
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

function checked(extracted: Extracted): Extracted {
  if (extracted.text === '')
    throw new IngestError(
      'no_text_found',
      'No text was found in this HTML; the page may need JavaScript to show any. Send its text, or the HTML as a browser shows it.',
    );
  if (extracted.text.length > LONGEST_TEXT)
    throw new IngestError(
      'text_too_large',
      'The text of this HTML is longer than 10 MiB. Send it in several parts, each with its own customId.',
    );
  return extracted;
}

/** Readability's article; null where it finds none or cuts too much of a short page. */
function article(document: Document): Extracted | null {
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
  const metadata = described({ byline: found.byline, site: found.siteName, published: found.publishedTime });
  return withTitle(toMarkdown(found.content), found.title || titleOf(document), metadata);
}

/** All of the body but what is hidden or only leads elsewhere. */
function everything(document: Document): Extracted {
  // The cleaning pass left a style only where it hides the element.
  for (const hidden of document.querySelectorAll('[hidden],[aria-hidden="true"],[style]')) hidden.remove();
  return withTitle(document.body === null ? '' : toMarkdown(document.body), titleOf(document), {});
}

function withTitle(text: string, title: string, metadata: Record<string, string>): Extracted {
  const shown = title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);
  return {
    text,
    ...(shown === '' ? {} : { title: shown }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

function titleOf(document: Document): string {
  const shared = document.querySelector('meta[property="og:title"]')?.getAttribute('content');
  return shared || document.title || document.querySelector('h1')?.textContent || '';
}

function described(facts: Readonly<Record<string, string | null | undefined>>): Record<string, string> {
  const known: Record<string, string> = {};
  for (const [name, value] of Object.entries(facts)) {
    const said = value?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE);
    if (said) known[name] = said;
  }
  return known;
}
