// Memories drawn by a language model of OpenAI or any server that speaks its protocol (Ollama, vLLM, LM Studio, llama.cpp).
import type { ConnectionOptions, Patience } from '../../lib/openai/client.ts';
import { cutText } from '../../lib/text/cut.ts';
import { filterBy } from './guidance.ts';
import { type AnsweredMemory, FORM, isStatement, readAnswer } from './openai/answer.ts';
import { batchesOf, halved } from './openai/batches.ts';
import {
  type Chat,
  finalAnswer,
  type Message,
  openChat,
  type Reply,
  TooLong,
  uselessAnswer,
} from './openai/chat.ts';
import { type Answered, drawnFrom, type Referable } from './openai/drawn.ts';
import { messagesFor, repairMessages } from './openai/prompt.ts';
import { relateAgain } from './openai/relate.ts';
import type {
  DrawnMemory,
  KnownMemory,
  MemoryReader,
  ReaderLimits,
  ReadRequest,
  ReadResult,
  ReadSource,
  Spending,
  Utterance,
  Wanted,
} from './port.ts';
import { createRulesReader } from './rules/reader.ts';
import { withoutServed } from './served.ts';

export interface OpenAiReaderOptions extends ConnectionOptions {
  readonly limits?: Partial<ReaderLimits>;
  readonly patience?: Patience;
}

/** With instructions and answer, 12,000 characters fit into the 8,192 tokens that small local models take. */
const LIMITS: ReaderLimits = {
  charactersPerCall: 12_000,
  aroundUtterances: 8,
  knownMemories: 30,
  memoriesPerDocument: 200,
};
/** Local models take minutes. */
const PATIENCE: Patience = {
  timeoutMs: 180_000,
  retries: { attempts: 4, firstWaitMs: 1_000, longestWaitMs: 20_000 },
};
const LONGEST_QUERY = 500;
/** An answer that is refused or of no use is asked for once more: models are not the same twice. */
const TRIES = 2;

/** What one reading has so far. */
interface Progress {
  readonly request: ReadRequest;
  readonly signal: AbortSignal | undefined;
  readonly spending: Spending | undefined;
  readonly drawn: DrawnMemory[];
}

const isMaterial = (utterance: Utterance): boolean =>
  utterance.role !== 'system' && utterance.role !== 'tool' && utterance.text.trim() !== '';

/** The references of those that something drawn has replaced. */
const replacedBy = (drawn: readonly DrawnMemory[]): Set<string> =>
  new Set(
    drawn.flatMap(({ relations }) =>
      relations.flatMap(({ kind, to }) => (kind === 'updates' ? [JSON.stringify(to)] : [])),
    ),
  );

/** Known memories first, then what this reading drew before and nothing has replaced since. */
function referable({ request, drawn }: Progress, most: number): Referable[] {
  const replaced = replacedBy(drawn);
  const known = request.known.map(
    (one): Referable => ({ ...one, saidAt: one.saidAt ?? null, ref: { known: one.id } }),
  );
  const before = drawn.map((one, at): Referable => ({ ...one, ref: { drawn: at } })).slice(-most);
  return [...known, ...before].filter(({ ref }) => !replaced.has(JSON.stringify(ref)));
}

/** Where the same statement stands already and still holds; -1 where it does not. */
function placeOf({ memory, same }: Answered, drawn: readonly DrawnMemory[]): number {
  const replaced = replacedBy(drawn);
  const holds = (at: number): boolean => !replaced.has(JSON.stringify({ drawn: at }));
  if (same && 'drawn' in same.ref && holds(same.ref.drawn)) return same.ref.drawn;
  return drawn.findLastIndex((one, at) => one.memory === memory.memory && holds(at));
}

/** What was said before gets another place in the text and no other row. */
function keepOne(answered: Answered, { drawn }: Progress): Referable {
  const { memory } = answered;
  const place = placeOf(answered, drawn);
  const before = drawn[place];
  if (!before) return { ...memory, ref: { drawn: drawn.push(memory) - 1 } };
  const positions = [...new Set([...before.positions, ...memory.positions])].sort((a, b) => a - b);
  drawn[place] = { ...before, positions };
  return { ...before, ref: { drawn: place } };
}

export function createOpenAiReader(options: OpenAiReaderOptions): MemoryReader {
  const chat: Chat = openChat(options);
  const limits = { ...LIMITS, ...options.limits };
  const patience = options.patience ?? PATIENCE;
  const rules = createRulesReader();
  const describe = (memory: string) =>
    rules.describe?.(memory) ?? { isStatic: false, slot: null, about: null };

  async function ask(messages: readonly Message[], progress: Progress): Promise<Reply> {
    const reply = await chat.ask(messages, FORM, patience, progress.signal);
    progress.spending?.(reply.usage);
    return reply;
  }

  /** The memories of one question; null where question or answer are too long for the model. */
  async function answersTo(
    messages: readonly Message[],
    progress: Progress,
  ): Promise<AnsweredMemory[] | null> {
    let asking = messages;
    let refusal: string | null = null;
    let problem = '';
    for (let made = 0; made < TRIES; made++) {
      const reply = await ask(asking, progress);
      refusal = reply.refusal;
      if (refusal !== null) continue;
      const answer = reply.truncated ? null : readAnswer(reply.text);
      if (answer === null || Array.isArray(answer)) return answer;
      problem = answer.problem;
      asking = repairMessages(messages, reply.text, problem);
    }
    if (refusal === null) throw uselessAnswer(chat.service, problem);
    const words = cutText(refusal.replace(/\s+/g, ' '), 120).toWellFormed();
    throw finalAnswer(chat.service, 'refused', `refused to read the text ("${words}")`);
  }

  function keep(
    answers: readonly AnsweredMemory[],
    fresh: readonly Utterance[],
    known: readonly Referable[],
    progress: Progress,
  ): void {
    const filter = filterBy(progress.request.guidance, () => []);
    const numbered: (Referable | undefined)[] = [...known];
    for (const answered of answers) {
      const isDropped = !isStatement(answered) || filter.drops(answered.memory);
      const one = isDropped ? null : drawnFrom(answered, fresh, numbered, progress.request, describe);
      numbered.push(one ? keepOne(one, progress) : undefined);
    }
  }

  async function readBatch(
    fresh: readonly Utterance[],
    context: readonly Utterance[],
    progress: Progress,
  ): Promise<void> {
    const known = referable(progress, limits.knownMemories);
    const messages = messagesFor({ source: progress.request, fresh, context, known });
    const answers = await answersTo(messages, progress).catch((error: unknown) => {
      if (error instanceof TooLong) return null;
      throw error;
    });
    if (answers) {
      keep(answers, fresh, known, progress);
      return;
    }
    const halves = halved(fresh);
    if (!halves)
      throw finalAnswer(
        chat.service,
        'length',
        'takes no question or finishes no answer, even for a few sentences',
      );
    await readBatch(halves[0], context, progress);
    await readBatch(halves[1], [...context, ...halves[0]].slice(-limits.aroundUtterances), progress);
  }

  async function read(request: ReadRequest, signal?: AbortSignal, spending?: Spending): Promise<ReadResult> {
    signal?.throwIfAborted();
    const clean = withoutServed(request.conversation ? request.served : []);
    const fresh = request.fresh.map((one) => ({ ...one, text: clean(one.text) })).filter(isMaterial);
    const progress: Progress = { request, signal, spending, drawn: [] };
    const first = fresh[0]?.position ?? 0;
    let context = request.around
      .filter((one) => isMaterial(one) && one.position < first)
      .slice(-limits.aroundUtterances);
    for (const batch of batchesOf(fresh, limits.charactersPerCall)) {
      await readBatch(batch, context, progress);
      context = [...context, ...batch].slice(-limits.aroundUtterances);
    }
    const most = request.conversation ? progress.drawn.length : limits.memoriesPerDocument;
    return { memories: progress.drawn.slice(0, most) };
  }

  /** The nearest to what is said, spread over the text, and what the rules would look up. */
  function wanted(source: ReadSource): Wanted {
    const byRules = rules.wanted(source);
    const texts = source.fresh.filter(isMaterial).map(({ text }) => cutText(text, LONGEST_QUERY));
    const step = Math.max(1, Math.ceil(texts.length / limits.knownMemories));
    return { ...byRules, nearestTo: texts.filter((_, at) => at % step === 0) };
  }

  const relate = (drawn: readonly DrawnMemory[], known: readonly KnownMemory[]): DrawnMemory[] =>
    relateAgain(drawn, known, (...asked) => rules.relate?.(...asked) ?? drawn);

  return { name: `openai:${options.model}`, limits, wanted, read, relate, describe };
}
