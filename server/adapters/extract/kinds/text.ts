// Plain text, Markdown, code and JSON, unchanged.
import type { Content, Extractor, Sink, TextStart } from '../contract.ts';
import { beginsFragment } from '../html/opening-tag.ts';

/** A longer text is not parsed only to detect JSON. */
const LONGEST_JSON = 1_000_000;
const HEAD = 16_384;

const CODE_ENDINGS =
  'asm astro bas bash bat c cc cfg clj cljs cmake cmd coffee conf cpp cr cs css cxx d dart diff dockerfile el elm erl ex exs f90 fish fs fsx gd go gradle graphql groovy h hcl hpp hrl hs htaccess ini ipynb java jl js jsonc jsx kt kts less lisp lock lua m makefile mjs cjs ml mm nim nix nu pas patch php pl pm pro proto ps1 py pyi pyw r rake rb rkt rs s sass scala scm scss sh sol sql svelte svg swift tcl tex tf toml ts tsx mts cts v vb vhd vhdl vim vue wat xml xsd xsl yaml yml zig zsh';

export const textExtractor: Extractor = {
  documentation: {
    formats: 'Text, Markdown, code, JSON',
    readAs: 'as it is; conversations message by message',
    places: '`heading` of Markdown',
  },
  kinds: {
    text: {
      label: 'plain text',
      mimeType: 'text/plain',
      pace: 'quick',
      isText: true,
      detect: { endings: 'txt text log' },
    },
    markdown: {
      label: 'Markdown',
      mimeType: 'text/markdown',
      pace: 'quick',
      isText: true,
      detect: {
        endings: 'md mdx markdown mkd qmd rmd',
        declaredTypes: ['text/markdown', 'text/x-markdown'],
      },
    },
    code: {
      label: 'code',
      mimeType: 'text/plain',
      pace: 'quick',
      isText: true,
      detect: { endings: CODE_ENDINGS, likelyText: ({ head }) => head.startsWith('<?xml') },
    },
    json: {
      label: 'JSON',
      mimeType: 'application/json',
      pace: 'quick',
      isText: true,
      detect: {
        endings: 'json jsonl ndjson',
        likelyText: (start) => isJson(start),
        confirmsName: (start) =>
          beginsFragment(start.body) || start.head.startsWith('<?xml') || isJson(start),
      },
    },
  },
  read: async ({ kind, text }: Content, sink: Sink) => {
    sink.begin({ form: kind === 'markdown' ? 'markdown' : kind === 'text' ? 'prose' : 'lines' });
    await sink.part({ text });
  },
};

/** One JSON value, or one in each line. */
const isJson = ({ text, head }: TextStart): boolean => {
  if (!/^[[{]/.test(head)) return false;
  if (text.length <= LONGEST_JSON && canParse(text)) return true;
  const lines = head.split('\n', 4).filter((line) => line.trim() !== '');
  const complete = head.length < HEAD ? lines : lines.slice(0, -1);
  if (complete.length > 0 && complete.every(canParse)) return true;
  return (
    text.length > LONGEST_JSON &&
    /^[[{]\s{0,100}["[{\d\]}]/.test(head) &&
    /[\]}]\s{0,100}$/.test(text.slice(-200))
  );
};

const canParse = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
