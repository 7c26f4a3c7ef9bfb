// Blocks as Markdown, for those parts of a page that Notion does not write as Markdown itself.
import { z } from 'zod';
import type { SourceTools } from '../port.ts';
import { askNotion, plainText, RICH_TEXT } from './api.ts';

const DEEPEST = 20;

const BLOCK = z
  .object({ id: z.string(), type: z.string(), has_children: z.boolean().default(false) })
  .loose();
type Block = z.output<typeof BLOCK>;

const CHILDREN = z.object({
  results: z.array(BLOCK),
  has_more: z.boolean(),
  next_cursor: z.string().nullable(),
});

const CONTENT = z
  .object({
    rich_text: RICH_TEXT.optional(),
    caption: RICH_TEXT.optional(),
    cells: z.array(RICH_TEXT).optional(),
    title: z.string().optional(),
    url: z.string().optional(),
    expression: z.string().optional(),
    language: z.string().optional(),
    checked: z.boolean().optional(),
    name: z.string().optional(),
  })
  .catch({});

const BEFORE: Readonly<Record<string, string>> = {
  ...{ heading_1: '# ', heading_2: '## ', heading_3: '### ', quote: '> ', callout: '> ' },
  ...{ bulleted_list_item: '- ', numbered_list_item: '1. ', toggle: '- ' },
};

const blockLine = (block: Block): string => {
  const content = CONTENT.parse(block[block.type] ?? {});
  const text = plainText(content.rich_text ?? content.caption ?? []);
  if (block.type === 'divider') return '---';
  if (block.type === 'code') return `\`\`\`${content.language ?? ''}\n${text}\n\`\`\``;
  if (block.type === 'to_do') return `- [${content.checked === true ? 'x' : ' '}] ${text}`;
  if (content.cells !== undefined) return `| ${content.cells.map(plainText).join(' | ')} |`;
  const own = text || content.expression || content.title || content.name || content.url || '';
  return own === '' ? '' : `${BEFORE[block.type] ?? ''}${own}`;
};

/** Pages and databases below a page are documents of their own. */
const isOwnDocument = ({ type }: Block): boolean => type === 'child_page' || type === 'child_database';

/** Called before each request; false: the page has had enough of them. */
export type SpendRequest = () => boolean;

export const blocksBelow = async (
  tools: SourceTools,
  id: string,
  { spend, signal, depth = 0 }: { spend: SpendRequest; signal: AbortSignal; depth?: number },
): Promise<string[]> => {
  const lines: string[] = [];
  const indent = '  '.repeat(depth);
  for (let cursor: string | null = null; ; ) {
    if (!spend()) return lines;
    const query: string = cursor === null ? '' : `&start_cursor=${encodeURIComponent(cursor)}`;
    const listed: z.output<typeof CHILDREN> | null = await askNotion(
      tools,
      `/v1/blocks/${id}/children?page_size=100${query}`,
      {
        ...{ shape: CHILDREN, what: 'the blocks of a page', template: '/v1/blocks/{id}/children' },
        ...{ missing: [400, 404], signal },
      },
    );
    if (listed === null) return lines;
    for (const block of listed.results) {
      const line = blockLine(block);
      if (line !== '') lines.push(indent + line.replaceAll('\n', `\n${indent}`));
      if (block.has_children && depth < DEEPEST && !isOwnDocument(block))
        lines.push(...(await blocksBelow(tools, block.id, { spend, signal, depth: depth + 1 })));
    }
    if (!listed.has_more || listed.next_cursor === null || listed.next_cursor === cursor) return lines;
    cursor = listed.next_cursor;
  }
};
