// What an office file says about itself: its title, who made it and when.
import type { Head } from '../kinds/contract.ts';
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
/** Titles that programs give without being asked. */
const MEANINGLESS =
  /^(?:microsoft (?:word|powerpoint|excel)\b.*|(?:powerpoint|word) (?:presentation|document)|presentation|untitled|document\d*|slide \d+|titel|title)$/i;

/** For docProps/core.xml and meta.xml, which name things alike. */
export function createProperties(): Properties {
  const said = new Map<string, string>();
  let open: string | null = null;
  return {
    handlers: {
      open(name) {
        open = Object.hasOwn(NAMES, name) ? name : null;
      },
      text(text) {
        if (open !== null) said.set(open, (said.get(open) ?? '') + text);
      },
      close() {
        open = null;
      },
    },
    facts() {
      const { title = '', ...metadata } = Object.fromEntries(
        [...said].flatMap(([name, text]) => (text.trim() === '' ? [] : [[NAMES[name] ?? name, text]])),
      ) as Record<string, string>;
      return { metadata, title: MEANINGLESS.test(title.trim()) ? undefined : title };
    },
  };
}
