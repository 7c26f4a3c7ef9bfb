// One pass over hostile HTML before a DOM is built from it: no scripts, few attributes, limited depth and number of elements.
import { Parser } from 'htmlparser2';
import type { IngestError } from '../../../core/errors.ts';
import { failure } from '../failures.ts';

const DROPPED = new Set(
  'script style svg template iframe object embed canvas noscript noembed noframes frame frameset audio video'.split(
    ' ',
  ),
);
const VOID = new Set('area base br col hr img input link meta source track wbr'.split(' '));
/** Old elements in which a parser reads tags as text. */
const RAW = new Set(['plaintext', 'xmp', 'listing']);
const KEPT_ATTRIBUTES = new Set(
  'href src alt class id hidden style role lang title datetime itemprop rel name content property colspan rowspan start aria-hidden dir'.split(
    ' ',
  ),
);

export interface CleanOptions {
  /** Default: 256. A browser nests 512 deep; deeper elements lose their tags and keep their text. */
  readonly depth?: number;
  /** Default: 150,000. Further elements lose their tags and keep their text. */
  readonly elements?: number;
  /** An element may end in its own tag: `<a id="note"/>`. */
  readonly xhtml?: boolean;
  /** The length of the address that completes relative links, unless the page names one itself. */
  readonly addressLength?: number;
}

/** The time of the parser grows with the square of the depth: no real page is this deep. */
const DEEPEST = 50_000;
const MOST_ATTRIBUTES = 20;
const LONGEST_ATTRIBUTE = 2_000;
const LONGEST_BASE = 500;
/** The characters that the address of the page may add to all its links together; further links lose their address. */
const MOST_COMPLETED = 5_000_000;

export const cleanHtml = (
  html: string,
  { depth: deepest = 256, elements: most = 150_000, xhtml = false, addressLength = 0 }: CleanOptions = {},
): string => {
  const keepsLink = createLinkLimit(addressLength);
  const out: string[] = [];
  /** For each open element, whether its tags were written. */
  const open: boolean[] = [];
  let dropped = 0;
  let depth = 0;
  let elements = 0;
  const openTag = (name: string, attributes: Attributes): void => {
    if (open.length + dropped > DEEPEST) throw tooDeepFailure();
    if (dropped > 0 || DROPPED.has(name)) {
      if (!VOID.has(name)) dropped++;
      return;
    }
    // The canonical link is the only useful one.
    if (name === 'link' && attributes.rel?.toLowerCase() !== 'canonical') return;
    const kept = keepsLink(name, attributes) ? attributes : withoutAddress(attributes);
    const written = elements < most && depth < deepest;
    if (!VOID.has(name)) open.push(written);
    if (!written) {
      out.push(' ');
      return;
    }
    elements++;
    if (!VOID.has(name)) depth++;
    out.push(`<${writtenName(name)}${keptAttributes(kept)}>`);
  };
  const closeTag = (name: string): void => {
    if (VOID.has(name)) return;
    if (dropped > 0) dropped--;
    else if (open.pop()) {
      depth--;
      out.push(`</${writtenName(name)}>`);
    }
  };
  const parser = new Parser(
    {
      onopentag: openTag,
      onclosetag: closeTag,
      ontext(text) {
        if (dropped === 0) out.push(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
      },
      onprocessinginstruction(name, data) {
        if (/^!doctype$/i.test(name)) out.push(`<${data}>`);
      },
    },
    { recognizeSelfClosing: xhtml },
  );
  parser.end(html);
  return out.join('');
};

type Attributes = Readonly<Record<string, string>>;

/** True: the element keeps its address. The first `<base>` counts, and only before any link. */
const createLinkLimit = (addressLength: number): ((name: string, attributes: Attributes) => boolean) => {
  let each = addressLength;
  let completed = 0;
  let named = false;
  return (name, { href, src }) => {
    const address = href ?? src;
    if (address === undefined) return true;
    if (name === 'base') {
      const counts = !named && completed === 0 && address.length <= LONGEST_BASE;
      named ||= counts;
      if (counts) each = address.length;
      return counts;
    }
    if (!ABSOLUTE.test(address)) completed += each;
    return completed <= MOST_COMPLETED;
  };
};

const ABSOLUTE = /^\s{0,20}[a-z][a-z0-9+.-]{0,20}:/i;

const withoutAddress = ({ href: _, src: __, ...others }: Attributes): Attributes => others;

const tooDeepFailure = (): IngestError =>
  failure('too_deep', {
    what: 'More than 50,000 elements of this HTML are open at once, so it is damaged or harmful.',
  });

const writtenName = (name: string): string => (RAW.has(name) ? 'pre' : name);

const keptAttributes = (attributes: Attributes): string => {
  let written = '';
  let count = 0;
  for (const name in attributes) {
    const value = (attributes[name] ?? '').slice(0, LONGEST_ATTRIBUTE);
    // A style only matters where it hides the element: hidden text is not part of the page.
    if (!KEPT_ATTRIBUTES.has(name) || (name === 'style' && !hidesElement(value))) continue;
    if (++count > MOST_ATTRIBUTES) break;
    written += ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
  }
  return written;
};

const hidesElement = (style: string): boolean =>
  /display\s{0,8}:\s{0,8}none|visibility\s{0,8}:\s{0,8}hidden/i.test(style);
