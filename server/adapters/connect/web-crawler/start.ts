// The address at which a crawl begins.
import type { Account } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { isSameSite, pageAddress } from './addresses.ts';
import { type Crawl, REDIRECTS } from './crawl.ts';

const MOST_REDIRECTS = 5;

const badStart = (reason: string): SourceError =>
  new SourceError('bad_options', `metadata.startUrl cannot be crawled: ${reason}`);

/** The last address of the redirects of the start; those within the site are adopted. */
const findStart = async (crawl: Crawl, start: URL, signal: AbortSignal): Promise<URL> => {
  let url = start;
  for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
    const answer = await crawl.get(url.href, {}, signal);
    answer.discard();
    const { status, headers } = answer;
    if (!REDIRECTS.includes(status)) {
      if (status >= 400) throw badStart(`${url.href} answers with status ${status}. Check the address.`);
      const type = headers['content-type'] ?? 'text/html';
      if (!/html/i.test(type)) throw badStart(`${url.href} is no page of HTML but ${type}. Begin at a page.`);
      return url;
    }
    const target = URL.parse(headers.location ?? '', url);
    const next = target === null ? null : pageAddress(target.href);
    if (next === null)
      throw badStart(`${url.href} redirects to something that is not an address. Begin at another page.`);
    if (!isSameSite(next, start))
      throw badStart(`${url.href} leads to another site. To crawl that, use ${next.href} as startUrl.`);
    url = next;
  }
  throw badStart(
    `${start.href} redirects more than ${MOST_REDIRECTS} times. Use the last of these addresses.`,
  );
};

export const checkStart = async (crawl: Crawl, signal: AbortSignal): Promise<Account> => {
  const { start } = crawl.rules;
  const site = await crawl.askRules(signal);
  if (!site.allows(start.href))
    throw badStart(
      `the robots.txt of ${start.host} does not allow ${start.href}. Begin at a page that it allows, or ask the owner of the site.`,
    );
  const found = await findStart(crawl, start, signal);
  return {
    account: found.host,
    ...(found.href === start.href ? {} : { options: { startUrl: found.href } }),
  };
};
