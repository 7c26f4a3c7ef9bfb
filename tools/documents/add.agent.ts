// The tool `add`: stores content for an agent, and can wait a short time until it is searchable.
import { z } from 'zod';
import type { AgentCall } from '../operation.ts';
import { cutForAgent } from '../shared/short-text.agent.ts';
import { agentTool, Refused } from '../tool.ts';
import { getDocument } from './get.ts';
import { maxFacts } from './schemas/facts.ts';
import type { addInput } from './schemas/inputs.ts';
import type { acceptedOutput, documentOutput } from './schemas/outputs.ts';
import { type Step, steps } from './schemas/status.ts';

type Call = AgentCall<typeof addInput, typeof acceptedOutput>;
type Document = z.output<typeof documentOutput>;

const LONGEST_WAIT_S = 20;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;
/** Rules draw memories within this time. A model may take longer, and nobody waits for it: the text is found already. */
const FOR_MEMORIES_MS = 2_000;
const LONGEST_MEMORY = 300;

const fact = z.object({
  content: z
    .string()
    .min(1)
    .max(10_000)
    .describe('One sentence that stands alone: full names, absolute dates, no guess.'),
  isStatic: z.boolean().optional().describe('Lasting'),
  forgetAfter: z.string().optional().describe('Its last day or end, ISO'),
  replaces: z.string().optional().describe('Id of the memory that it corrects'),
});

/** Checked and not described: models know what metadata are. */
const pair = z.unknown().pipe(z.union([z.string(), z.number(), z.boolean()]));

const input = z.strictObject({
  content: z.string().min(1).describe('Text, HTML, a conversation ("user: …" lines or JSON), or one URL.'),
  facts: z
    .array(fact)
    .max(maxFacts)
    .optional()
    .describe('What to remember of it, in your words; without, Memoir decides.'),
  customId: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe('Your id; the same id updates the document and its facts.'),
  metadata: z.record(z.string(), pair).optional(),
  wait: z.number().min(0).max(LONGEST_WAIT_S).optional().describe('Seconds to wait until searchable.'),
});

const output = z.object({
  id: z.string(),
  status: z.string(),
  similar: z.array(z.object({ id: z.string(), memory: z.string() })).optional(),
});
type Result = z.output<typeof output>;

/** Resolves early when the call is aborted. */
const pauseUntilAborted = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/** Reports each step once: the protocol requires that progress grows. */
const stepReporter = ({ report }: Call): ((step: Step) => Promise<void>) => {
  let last = 0;
  return async (step) => {
    const at = steps.indexOf(step) + 1;
    if (at <= last || step === 'failed') return;
    last = at;
    await report({ done: at, total: steps.indexOf('done') + 1, message: step });
  };
};

const isProcessed = ({ status }: Document): boolean => status === 'done' || status === 'failed';
const isRead = (document: Document): boolean => isProcessed(document) && document.dreamingStatus === 'done';

const addResult = ({ id, status, failure }: Document): Result => {
  if (status !== 'failed') return { id, status };
  const why = failure?.message ?? 'the server gave no reason.';
  throw new Refused(422, `Stored as document ${id}, but it could not be processed: ${why}`);
};

const shortMemory = ({ id, memory }: { id: string; memory: string }) => ({
  id,
  memory: cutForAgent(memory, LONGEST_MEMORY),
});

/** The document, as soon as it is `ready`, the time is over, or the call is aborted. */
const askUntil = async (
  call: Call,
  id: string,
  {
    ready,
    ms,
    report,
  }: { ready: (document: Document) => boolean; ms: number; report: (step: Step) => Promise<void> },
): Promise<Document> => {
  const end = performance.now() + ms;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const document = await call.ask(getDocument, { id });
    await report(document.step);
    const left = end - performance.now();
    if (ready(document) || left <= 0 || call.signal.aborted) return document;
    await pauseUntilAborted(Math.min(pause, left), call.signal);
  }
};

/** An aborted call stops the wait only; the stored document is still processed. */
const waitForDocument = async (call: Call, id: string, seconds: number): Promise<Result> => {
  const end = performance.now() + seconds * 1000;
  const report = stepReporter(call);
  await report('queued');
  const processed = await askUntil(call, id, { ready: isProcessed, ms: seconds * 1000, report });
  const left = Math.min(FOR_MEMORIES_MS, end - performance.now());
  if (isRead(processed) || !isProcessed(processed) || left <= 0) return addResult(processed);
  // A profile that follows at once holds its memories.
  return addResult(await askUntil(call, id, { ready: isRead, ms: left, report }));
};

export const addTool = agentTool<typeof addInput, typeof acceptedOutput>()({
  name: 'add',
  title: 'Add to memory',
  description:
    'Stores content in long-term memory. Call it when the user states a fact, preference, decision or plan worth keeping, or asks to remember something. Not for passing remarks or secrets. State the facts yourself. If one changes a memory that the answer calls similar, add it again with replaces.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  takesTag: true,
  input,
  output,
  async run({ wait = 0, content, customId, metadata, facts }, call) {
    const { similar, ...accepted } = await call.own({
      content,
      containerTags: [call.tag],
      ...(customId === undefined ? {} : { customId }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(facts === undefined ? {} : { facts }),
    });
    const result = wait > 0 ? await waitForDocument(call, accepted.id, wait) : accepted;
    return similar === undefined ? result : { ...result, similar: similar.map(shortMemory) };
  },
  text: ({ id, status, similar = [] }) =>
    [`${status} ${id}`, ...similar.map((one) => `similar [${one.id}] ${one.memory}`)].join('\n'),
});
