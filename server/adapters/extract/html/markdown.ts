// Converts an element of a page to Markdown: keeps tables and lists, drops scripted links, describes pictures.
import { gfm } from '@joplin/turndown-plugin-gfm';
import Turndown from 'turndown';

const REMOVED = [
  'script',
  'style',
  'nav',
  'footer',
  'form',
  'button',
  'select',
  'iframe',
  'noscript',
] as const;
const SCRIPTED = /^\s{0,20}(?:javascript|data|vbscript):/i;

const createConverter = (): Turndown => {
  const turndown = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  turndown.use(gfm);
  turndown.remove((node) => REMOVED.some((name) => name.toUpperCase() === node.nodeName));
  turndown.addRule('plain-links', {
    filter: (node) => node.nodeName === 'A' && !isUsefulLink(node),
    replacement: (content) => content,
  });
  turndown.addRule('pictures', {
    filter: 'img',
    replacement: (_content, node) => {
      const description = 'getAttribute' in node ? (node.getAttribute('alt') ?? '').trim() : '';
      return description === '' ? '' : `[image: ${description}]`;
    },
  });
  return turndown;
};

/** A useful link has a text and an address that is not a script. */
const isUsefulLink = (link: HTMLElement): boolean =>
  !SCRIPTED.test(link.getAttribute('href') ?? '') && (link.textContent ?? '').trim() !== '';

let converter: Turndown | undefined;

export const toMarkdown = (element: HTMLElement): string => {
  converter ??= createConverter();
  return converter.turndown(element).trim();
};
