// Reads a page: its properties as the head of the text, its Markdown, and the parts that the Markdown leaves out.
import { z } from 'zod';
import type { ReadItem, SourceTools, SourceValue, Taken } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { nothingToStore } from '../taken.ts';
import { askNotion, type NotionNames } from './api.ts';
import { blocksBelow, type SpendRequest } from './blocks.ts';

const MARKDOWN = z.object({
  markdown: z.string(),
  truncated: z.boolean().default(false),
  unknown_block_ids: z.array(z.string()).default([]),
});
type Markdown = z.output<typeof MARKDOWN>;

/** At three requests a second, ten minutes for one page. */
const MOST_REQUESTS = 1_800;
const MOST_RELATED = 10;

const PAGE_RELATIONS = z.object({ relations: z.record(z.string(), z.array(z.string())) });

/** Signed addresses of files differ at each reading; without their query they are the same. */
const SIGNED =
  /(https?:\/\/[^\s)\]"'<>?]+)\?[^\s)\]"'<>]*(?:X-Amz-|signature=|expirationTimestamp=)[^\s)\]"'<>]*/gi;

export const withoutSignatures = (text: string): string => text.replace(SIGNED, '$1');

interface PageParts {
  readonly tools: SourceTools;
  readonly spend: SpendRequest;
  readonly visited: Set<string>;
  readonly signal: AbortSignal;
}

const askMarkdown = (
  { tools, signal }: PageParts,
  id: string,
  missing: readonly number[],
): Promise<Markdown | null> =>
  askNotion(tools, `/v1/pages/${id}/markdown`, {
    ...{ shape: MARKDOWN, what: 'the Markdown of a page', template: '/v1/pages/{id}/markdown' },
    ...{ missing, signal },
  });

/** In place of the tag that stands for it, else at the end. */
const withPart = (text: string, id: string, part: string): string => {
  const plain = id.replaceAll('-', '');
  const tag = [...text.matchAll(/<unknown\b[^>]*>/g)].find(([one]) =>
    one.replaceAll('-', '').includes(plain),
  );
  if (tag === undefined) return part === '' ? text : `${text.trimEnd()}\n\n${part}\n`;
  return text.slice(0, tag.index) + part + text.slice(tag.index + tag[0].length);
};

/** A part is asked for as Markdown, and if Notion does not write it so, block by block. */
const readPart = async (parts: PageParts, id: string): Promise<string> => {
  const found = parts.spend() ? await askMarkdown(parts, id, [400, 404]) : null;
  if (found !== null && (found.markdown.trim() !== '' || found.unknown_block_ids.some((one) => one !== id)))
    return withUnknownBlocks(parts, found);
  const { tools, spend, signal } = parts;
  return (await blocksBelow(tools, id, { spend, signal })).join('\n');
};

const withUnknownBlocks = async (
  parts: PageParts,
  { markdown, unknown_block_ids }: Markdown,
): Promise<string> => {
  let text = markdown;
  for (const id of unknown_block_ids) {
    if (parts.visited.has(id)) continue;
    parts.visited.add(id);
    text = withPart(text, id, await readPart(parts, id));
  }
  return text;
};

/** Cut without saying where: the blocks of the page have all of it. */
const readAllParts = async (parts: PageParts, id: string, found: Markdown): Promise<string> => {
  if (!found.truncated || found.unknown_block_ids.length > 0) return withUnknownBlocks(parts, found);
  const { tools, spend, signal } = parts;
  return (await blocksBelow(tools, id, { spend, signal })).join('\n\n');
};

const relatedTitles = async (
  names: NotionNames,
  item: ReadItem,
  signal: AbortSignal,
): Promise<Record<string, SourceValue>> => {
  const { relations } = PAGE_RELATIONS.parse(item.how);
  const titles: Record<string, SourceValue> = {};
  for (const [key, ids] of Object.entries(relations)) {
    const found: string[] = [];
    for (const id of ids.slice(0, MOST_RELATED)) {
      const title = await names.page(id, signal);
      if (title !== null && title !== '') found.push(title);
    }
    if (found.length > 0) titles[key] = found.join(', ').slice(0, 4_096).toWellFormed();
  }
  return titles;
};

const headOf = (metadata: Readonly<Record<string, SourceValue>>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}: ${String(value)}`)
    .join('\n');

export const readNotionPage = async (
  tools: SourceTools,
  names: NotionNames,
  item: ReadItem,
  signal: AbortSignal,
): Promise<Taken> => {
  const { title } = item.face;
  let left = MOST_REQUESTS;
  let wasCut = false;
  const spend: SpendRequest = () => {
    if (left > 0) left -= 1;
    else wasCut = true;
    return !wasCut;
  };
  const parts: PageParts = { tools, spend, visited: new Set([item.id]), signal };
  const found = await askMarkdown(parts, item.id, [404]);
  if (found === null)
    throw new SourceError('not_found', `The page "${title}" is not shared with the connection any more.`);
  const body = withoutSignatures(await readAllParts(parts, item.id, found)).trim();
  const metadata = { ...item.face.metadata, ...(await relatedTitles(names, item, signal)) };
  const head = headOf(metadata);
  const text = [head, body].filter((part) => part !== '').join('\n\n');
  if (text === '') return nothingToStore('empty', `The page "${title}" has neither text nor properties.`);
  return {
    ...{ content: 'text', text, mediaType: 'text/markdown', face: { metadata } },
    ...(wasCut ? { note: 'The page has more blocks than are read; those at its end are left out.' } : {}),
  };
};
