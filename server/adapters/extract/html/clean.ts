// One pass over hostile HTML before a DOM is built from it: no scripts, few attributes, bounded depth and number of elements.
import { Parser } from 'htmlparser2';
import type { IngestError } from '../../../errors.ts';
import { failure } from '../failures.ts';

const DROPPED = new Set(
  'script style svg template iframe object embed canvas noscript noembed noframes frame frameset audio video'.split(
    ' ',
  ),
);
const VOID = new Set('area base br col hr img input link meta source track wbr'.split(' '));
/** Old elements inside which a parser reads tags as text. */
const RAW = new Set(['plaintext', 'xmp', 'listing']);
const KEPT_ATTRIBUTES = new Set(
  'href src alt class id hidden style role lang title datetime itemprop rel name content property colspan rowspan start aria-hidden dir'.split(
    ' ',
  ),
);

export interface CleanLimits {
  readonly depth: number;
  readonly elements: number;
}

/** A browser nests 512 deep; beyond these an element's text stays and its tags go. */
const LIMITS: CleanLimits = { depth: 256, elements: 150_000 };
/** The parser's own time grows with the square of the depth: no page is like this. */
const DEEPEST = 50_000;
const MOST_ATTRIBUTES = 20;
const LONGEST_ATTRIBUTE = 2_000;

export function cleanHtml(html: string, limits: CleanLimits = LIMITS): string {
  const out: string[] = [];
  /** For each open element, whether its tags were written. */
  const open: boolean[] = [];
  let dropped = 0;
  let depth = 0;
  let elements = 0;
  const parser = new Parser({
    onopentag(given, attributes) {
      if (open.length + dropped > DEEPEST) throw tooDeep();
      if (dropped > 0 || DROPPED.has(given)) {
        if (!VOID.has(given)) dropped++;
        return;
      }
      // Of all that a page refers to only its own name in the world is of use.
      if (given === 'link' && attributes.rel?.toLowerCase() !== 'canonical') return;
      const written = elements < limits.elements && depth < limits.depth;
      if (!VOID.has(given)) open.push(written);
      if (!written) {
        out.push(' ');
        return;
      }
      elements++;
      if (!VOID.has(given)) depth++;
      out.push(`<${nameOf(given)}${attributesOf(attributes)}>`);
    },
    ontext(text) {
      if (dropped === 0) out.push(text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'));
    },
    onclosetag(given) {
      if (VOID.has(given)) return;
      if (dropped > 0) dropped--;
      else if (open.pop()) {
        depth--;
        out.push(`</${nameOf(given)}>`);
      }
    },
    onprocessinginstruction(name, data) {
      if (/^!doctype$/i.test(name)) out.push(`<${data}>`);
    },
  });
  parser.end(html);
  return out.join('');
}

const tooDeep = (): IngestError =>
  failure('too_deep', {
    what: 'More than 50,000 elements of this HTML are open at once, so it is damaged or made to do harm.',
  });

const nameOf = (name: string): string => (RAW.has(name) ? 'pre' : name);

function attributesOf(attributes: Readonly<Record<string, string>>): string {
  let written = '';
  let count = 0;
  for (const name in attributes) {
    const value = (attributes[name] ?? '').slice(0, LONGEST_ATTRIBUTE);
    // Of styles only what hides an element matters: hidden text is not what the page says.
    if (!KEPT_ATTRIBUTES.has(name) || (name === 'style' && !hides(value))) continue;
    if (++count > MOST_ATTRIBUTES) break;
    written += ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}"`;
  }
  return written;
}

const hides = (style: string): boolean =>
  /display\s{0,8}:\s{0,8}none|visibility\s{0,8}:\s{0,8}hidden/i.test(style);
