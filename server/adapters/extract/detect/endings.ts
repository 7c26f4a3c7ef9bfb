// What the ending of a name says about plain text: only ever which kind of plain text it is.
import type { TextKind } from '../port.ts';

const CODE =
  'asm astro bas bash bat c cc cfg clj cljs cmake cmd coffee conf cpp cr cs css cxx d dart diff dockerfile el elm erl ex exs f90 fish fs fsx gd go gradle graphql groovy h hcl hpp hrl hs htaccess ini ipynb java jl js jsonc jsx kt kts less lisp lock lua m makefile mjs cjs ml mm nim nix nu pas patch php pl pm pro proto ps1 py pyi pyw r rake rb rkt rs s sass scala scm scss sh sol sql svelte svg swift tcl tex tf toml ts tsx mts cts v vb vhd vhdl vim vue wat xml xsd xsl yaml yml zig zsh';

const KINDS: Readonly<Record<string, TextKind>> = {
  ...Object.fromEntries(CODE.split(' ').map((ending) => [ending, 'code' as const])),
  md: 'markdown',
  mdx: 'markdown',
  markdown: 'markdown',
  mkd: 'markdown',
  qmd: 'markdown',
  rmd: 'markdown',
  csv: 'csv',
  tsv: 'tsv',
  tab: 'tsv',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  htm: 'html',
  html: 'html',
  xhtml: 'html',
  srt: 'subtitles',
  vtt: 'subtitles',
  txt: 'text',
  text: 'text',
  log: 'text',
};

const MIME_TYPES: Readonly<Record<string, TextKind>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

export interface Names {
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
}

/** Null where neither the name nor the declared type says anything. */
export function kindByName({ fileName, mimeType, url }: Names): TextKind | null {
  const name = fileName ?? lastOfPath(url);
  const ending = /([^./\\]{1,12})$/.exec(name.toLowerCase())?.[1] ?? '';
  const declared = (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return (Object.hasOwn(KINDS, ending) ? KINDS[ending] : undefined) ?? MIME_TYPES[declared] ?? null;
}

function lastOfPath(url: string | undefined): string {
  const path = url === undefined ? '' : (URL.parse(url)?.pathname ?? '');
  // A bare domain ends in letters too, and says nothing about what it serves.
  return path.slice(path.lastIndexOf('/') + 1);
}
