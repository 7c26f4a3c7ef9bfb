// Facts that a page states about itself: title, author, site, date, canonical address.
import type { Readability } from '@mozilla/readability';
import { defined } from '../../../lib/defined.ts';

type Article = NonNullable<ReturnType<Readability<HTMLElement>['parse']>>;

export interface PageFacts {
  readonly title: string;
  readonly metadata: Readonly<Record<string, string>>;
}

const LONGEST_VALUE = 300;

export const pageFacts = (document: Document, article: Article | null): PageFacts => ({
  title: shortFact(article?.title || pageTitle(document)) ?? '',
  metadata: defined({
    author: shortFact(
      metaContent(document, 'author') ?? article?.byline?.replace(/^\s{0,20}by\s{1,20}/i, ''),
    ),
    site: shortFact(article?.siteName ?? metaContent(document, 'og:site_name')),
    published: shortFact(article?.publishedTime ?? metaContent(document, 'article:published_time')),
    canonicalUrl: canonicalUrl(document),
    description: shortFact(metaContent(document, 'og:description') ?? metaContent(document, 'description')),
    language: shortFact(document.documentElement?.lang),
  }),
});

const pageTitle = (document: Document): string =>
  metaContent(document, 'og:title') || document.title || document.querySelector('h1')?.textContent || '';

const metaContent = (document: Document, name: string): string | undefined => {
  const found = document.querySelector(`meta[property="${name}"],meta[name="${name}"]`);
  return found?.getAttribute('content') || undefined;
};

/** Completed with the address of the page. A page in a file has none, so a relative link is dropped there. */
const canonicalUrl = (document: Document): string | undefined => {
  const link =
    document.querySelector('link[rel="canonical"]')?.getAttribute('href') || metaContent(document, 'og:url');
  const url = link === undefined ? null : URL.parse(link, document.baseURI);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
};

const shortFact = (value: string | null | undefined): string | undefined => {
  const fact = value?.replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE).toWellFormed();
  return fact || undefined;
};
