// The properties of an office file: its title, its author and its date.
import type { Head } from '../contract.ts';
import type { XmlHandlers } from './sax.ts';

export interface Properties {
  readonly handlers: XmlHandlers;
  facts(): Pick<Head, 'title' | 'metadata'>;
}

const NAMES: Readonly<Record<string, string>> = {
  title: 'title',
  creator: 'author',
  'initial-creator': 'author',
  created: 'created',
  'creation-date': 'created',
  language: 'language',
};
/** Titles that programs write by default. */
const MEANINGLESS =
  /^(?:microsoft (?:word|powerpoint|excel)\b.*|(?:powerpoint|word) (?:presentation|document)|presentation|untitled|document\d*|slide \d+|titel|title)$/i;

/** Undefined for a title that only its program wrote. */
export const meaningfulTitle = (title: string): string | undefined =>
  MEANINGLESS.test(title.trim()) ? undefined : title;

/** For docProps/core.xml and meta.xml, whose elements have the same names. */
export const createProperties = (): Properties => {
  const texts = new Map<string, string>();
  let open: string | null = null;
  return {
    handlers: {
      open(name) {
        open = Object.hasOwn(NAMES, name) ? name : null;
      },
      text(text) {
        if (open !== null) texts.set(open, (texts.get(open) ?? '') + text);
      },
      close() {
        open = null;
      },
    },
    facts() {
      const { title = '', ...metadata } = Object.fromEntries(
        [...texts].flatMap(([name, text]) => (text.trim() === '' ? [] : [[NAMES[name] ?? name, text]])),
      ) as Record<string, string>;
      return { metadata, title: meaningfulTitle(title) };
    },
  };
};
