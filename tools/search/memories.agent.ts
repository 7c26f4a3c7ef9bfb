// The tool `search`: finds memories and passages for an agent, with a short answer.
import { z } from 'zod';
import { unprocessedNotes } from '../documents/unprocessed.agent.ts';
import { asManyAsFit, cutForAgent, saySame } from '../shared/short-text.agent.ts';
import { otherTagsNotes } from '../tags/other-tags.agent.ts';
import { agentTool } from '../tool.ts';
import type { searchMemoriesInput } from './schemas/inputs.ts';
import type { searchMemoriesOutput } from './schemas/outputs.ts';
import { titleBeside } from './source-title.agent.ts';

type Found = z.output<typeof searchMemoriesOutput>['results'][number];

const LONGEST_MEMORY = 500;
const LONGEST_PASSAGE = 900;
const LONGEST_TITLE = 80;

const input = z.strictObject({
  query: z
    .string()
    .min(1, { abort: true })
    .max(10_000)
    .refine((text) => /\S/.test(text), { error: 'must not be blank' })
    .describe('A question, words or a code.'),
  limit: z.int().min(1).max(50).optional().describe('Default 10.'),
});

const hit = z.object({
  id: z.string(),
  memory: z.string().optional(),
  passage: z.string().optional(),
  similarity: z.number(),
  date: z.string().optional(),
  documentId: z.string().optional(),
  title: z.string().optional(),
});
type Hit = z.output<typeof hit>;

const output = z.object({
  results: z.array(hit),
  more: z.boolean().optional(),
  notes: z.array(z.string()).optional(),
});
type Result = z.output<typeof output>;

/** Cuts a long passage around its matching part. */
const shownPassage = (text: string, match: Found['match']): string => {
  if (text.length <= LONGEST_PASSAGE) return text;
  const at = match === undefined ? 0 : Math.max(0, text.indexOf(match.text));
  const room = LONGEST_PASSAGE - Math.min(match?.text.length ?? 0, LONGEST_PASSAGE);
  const from = Math.max(0, Math.min(at - Math.floor(room / 2), text.length - LONGEST_PASSAGE));
  return `${from > 0 ? '…' : ''}${cutForAgent(text.slice(from), LONGEST_PASSAGE)}`;
};

/** The memory, the passage or both; a passage that says no more than its memory is left out. */
const shownTexts = ({ memory, chunk, passage, match }: Found): Pick<Hit, 'memory' | 'passage'> => {
  const text = chunk ?? passage?.content;
  return {
    ...(memory === undefined ? {} : { memory: cutForAgent(memory, LONGEST_MEMORY) }),
    ...(text === undefined || (memory !== undefined && saySame(text, memory))
      ? {}
      : { passage: shownPassage(text, match) }),
  };
};

const searchHit = (found: Found): Hit => {
  const { id, content, passage, similarity, updatedAt, documents: [source] = [] } = found;
  const title = titleBeside(source?.title, passage?.content ?? content);
  return {
    id,
    ...shownTexts(found),
    similarity: Math.round(similarity * 100) / 100,
    date: (source?.createdAt ?? updatedAt).slice(0, 10),
    ...(source === undefined ? {} : { documentId: source.id }),
    ...(title === undefined ? {} : { title: cutForAgent(title, LONGEST_TITLE) }),
  };
};

const sourceNote = ({ documentId, title }: Hit): string => {
  if (documentId === undefined) return '';
  return title === undefined ? ` (document ${documentId})` : ` (document ${documentId}: ${title})`;
};

const textOfHit = ({ memory, passage }: Hit): string =>
  [memory, passage].filter((text) => text !== undefined).join('\n  ');

const hitLine = (hit: Hit): string =>
  `[${hit.id}] ${hit.similarity} ${hit.date ?? ''} ${textOfHit(hit)}${sourceNote(hit)}`;

const searchText = ({ results, more, notes = [] }: Result): string =>
  [
    ...(results.length === 0 ? ['Nothing found.'] : results.map(hitLine)),
    ...(more === true ? ['More was found: narrow the query.'] : []),
    ...notes,
  ].join('\n');

export const searchTool = agentTool<typeof searchMemoriesInput, typeof searchMemoriesOutput>()({
  name: 'search',
  title: 'Search memory',
  description:
    'Finds memories and passages by meaning and words. Call it before answering anything that may depend on what the user said, decided or stored earlier. For a general picture of the user call profile.',
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  takesTag: true,
  input,
  output,
  async run({ query, limit = 10 }, call) {
    const searchFields = {
      q: query,
      limit,
      searchMode: 'hybrid',
      containerTag: call.tag,
      include: { documents: true },
    } as const;
    const [found, backlog] = await Promise.all([call.own(searchFields), unprocessedNotes(call)]);
    const hits = found.results.map(searchHit);
    const notes = hits.length === 0 ? [...backlog, ...(await otherTagsNotes(call))] : backlog;
    const answerWith = (some: readonly Hit[]): Result => ({
      results: [...some],
      ...(some.length < hits.length ? { more: true } : {}),
      ...(notes.length === 0 ? {} : { notes }),
    });
    return asManyAsFit(hits, answerWith, searchText);
  },
  text: searchText,
});
