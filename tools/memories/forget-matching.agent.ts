// The tool `forget`: an agent forgets memories by id, by exact text, or by a query.
import { z } from 'zod';
import type { AgentCall } from '../operation.ts';
import { asManyAsFit, cutForAgent, saySame } from '../shared/short-text.agent.ts';
import { agentTool, Refused } from '../tool.ts';
import { forgetMemory } from './forget.ts';
import type { forgetMatchingInput } from './schemas/inputs.ts';
import type { forgetMatchingOutput } from './schemas/outputs.ts';

type Call = AgentCall<typeof forgetMatchingInput, typeof forgetMatchingOutput>;

const LONGEST_QUERY = 2_000;
const LONGEST_MEMORY = 300;
/** The number of similar memories shown when no memory has the exact text. */
const NEAREST = 3;

const input = z
  .strictObject({
    id: z.string().min(1).max(255).optional().describe('A memory id.'),
    text: z.string().min(1).max(10_000).optional().describe('Exact text of one memory.'),
    query: z.string().min(1).max(LONGEST_QUERY).optional().describe('A topic: forgets all matches.'),
    dryRun: z.boolean().optional().describe('Only shows what would go.'),
    reason: z.string().max(1000).optional(),
  })
  .refine(({ id, text, query }) => [id, text, query].filter((one) => one !== undefined).length === 1, {
    error: 'give exactly one of id, text or query',
  });

const output = z.object({
  forgotten: z.int(),
  dryRun: z.boolean().optional(),
  memories: z.array(z.object({ id: z.string(), memory: z.string() })),
  more: z.int().optional(),
  notes: z.array(z.string()).optional(),
});
type Result = z.output<typeof output>;

interface Memory {
  id: string;
  memory: string;
}

const memoryLines = (memories: readonly Memory[]): string[] =>
  memories.map(({ id, memory }) => `[${id}] ${memory}`);

const ALIKE = 'The most similar memories, which you can forget by id:';

const forgottenText = ({ forgotten, dryRun, memories, more, notes = [] }: Result): string => {
  const heading = dryRun === true ? 'dry run, would forget:' : `forgot ${forgotten}:`;
  return [
    memories.length === 0 && more === undefined ? 'No memory matches; nothing was forgotten.' : heading,
    ...memoryLines(memories),
    ...(more === undefined ? [] : [`and ${more} more`]),
    ...notes,
  ].join('\n');
};

const shortMemory = ({ id, memory }: Memory): Memory => ({ id, memory: cutForAgent(memory, LONGEST_MEMORY) });

const shortenedAnswer = (memories: readonly Memory[], dryRun: boolean): Result =>
  asManyAsFit(
    memories.map(shortMemory),
    (shown) => ({
      forgotten: dryRun ? 0 : memories.length,
      ...(dryRun ? { dryRun } : {}),
      memories: [...shown],
      ...(shown.length < memories.length ? { more: memories.length - shown.length } : {}),
    }),
    forgottenText,
  );

/** Selects memories, and either only returns them (dry run) or forgets them. */
const askForMatching = async (
  { own, tag }: Call,
  chosen: { ids: string[] } | { query: string },
  how: { dryRun: boolean; reason?: string | undefined },
): Promise<Memory[]> => {
  const { reason, dryRun } = how;
  const found = await own({
    containerTags: [tag],
    ...chosen,
    dryRun,
    ...(reason === undefined ? {} : { reason }),
  });
  return (dryRun ? found.candidates : found.forgotten) ?? [];
};

const noSuchText = (nearest: readonly Memory[]): Refused => {
  const suggestion = nearest.length === 0 ? [] : [` ${ALIKE}`, ...memoryLines(nearest.map(shortMemory))];
  return new Refused(404, `No memory has exactly this text; nothing was forgotten.${suggestion.join('\n')}`);
};

const ONLY_IN_DOCUMENTS =
  'What only documents say stays: find them with search, and use delete if the user wants that.';

/** Nothing matches a query: what looks most alike, and what else the model can do. */
const unmatchedAnswer = async ({ own, tag }: Call, query: string, dryRun: boolean): Promise<Result> => {
  const { alike = [] } = await own({ containerTags: [tag], query, dryRun: true });
  const similar = alike.length === 0 ? [] : [ALIKE, ...memoryLines(alike.slice(0, NEAREST).map(shortMemory))];
  return { ...shortenedAnswer([], dryRun), notes: [...similar, ONLY_IN_DOCUMENTS] };
};

/** A memory that is only similar is never forgotten; it is shown in the error. */
const findMemoryByText = async (call: Call, text: string): Promise<Memory> => {
  const query = text.slice(0, LONGEST_QUERY);
  const { candidates = [], alike = [] } = await call.own({ containerTags: [call.tag], query, dryRun: true });
  const near = [...candidates, ...alike];
  const found =
    near.find(({ memory }) => memory === text) ?? near.find(({ memory }) => saySame(memory, text));
  if (found === undefined) throw noSuchText(near.slice(0, NEAREST));
  return found;
};

const noSuchId = (id: string, tag: string): Refused =>
  new Refused(
    404,
    `No memory under ${JSON.stringify(tag)} that can be forgotten has the id ${JSON.stringify(id)}; nothing was forgotten. Use search to find ids, or give the exact text. A result without a memory is a passage of its document.`,
  );

/** Asks the operation `memories.forget` for the exact reason: already forgotten, or replaced by a newer version. */
const refusalOfForgetting = async (call: Call, id: string): Promise<Refused> => {
  try {
    await call.ask(forgetMemory, { containerTags: [call.tag], id });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.status !== 404) return error;
  }
  return noSuchId(id, call.tag);
};

const findMemoryById = async (call: Call, id: string, dryRun: boolean): Promise<Memory> => {
  const [found] = await askForMatching(call, { ids: [id] }, { dryRun: true });
  if (found !== undefined) return found;
  throw dryRun ? noSuchId(id, call.tag) : await refusalOfForgetting(call, id);
};

export const forgetTool = agentTool<typeof forgetMatchingInput, typeof forgetMatchingOutput>()({
  name: 'forget',
  title: 'Forget memories',
  description:
    'Makes memories disappear from search and profile. Call it when the user says that something is wrong, outdated or to be forgotten. Give exactly one of id, text or query; with query, run dryRun first and check. To erase a whole document use delete.',
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  takesTag: true,
  input,
  output,
  async run({ id, text, query, dryRun = false, reason }, call) {
    if (query !== undefined) {
      const matching = await askForMatching(call, { query }, { dryRun, reason });
      return matching.length === 0 ? unmatchedAnswer(call, query, dryRun) : shortenedAnswer(matching, dryRun);
    }
    const one =
      id === undefined ? await findMemoryByText(call, text ?? '') : await findMemoryById(call, id, dryRun);
    const gone = dryRun ? [one] : await askForMatching(call, { ids: [one.id] }, { dryRun, reason });
    return shortenedAnswer(gone, dryRun);
  },
  text: forgottenText,
});
