// Draws memories with a language model of OpenAI or of any server that speaks its protocol (Ollama, vLLM, LM Studio,
// llama.cpp).

import type { Steps } from '../../../lib/async/steps.ts';
import type { CallLimits, OpenAiConnection } from '../../../lib/openai/client.ts';
import { cutText } from '../../../lib/text/cut.ts';
import type {
  DrawnMemory,
  KnownMemory,
  MemoryLookup,
  MemoryReader,
  ReaderLimits,
  ReaderRules,
  ReadRequest,
  ReadResult,
  ReadSource,
  StatementTraits,
  Utterance,
  WrittenOutline,
} from '../ports/memory-reader.ts';
import { type AskContext, askForMemories } from './ask-for-memories.ts';
import { halvedBatch, readerBatches } from './batches.ts';
import { openChat, permanentFailure, QuestionTooLong } from './chat.ts';
import { drawMemory, type ReferableMemory } from './drawn-memory.ts';
import { keepMemory, type ReadingProgress, referableMemories } from './kept-memories.ts';
import { type AnsweredMemory, isUsableStatement, OUTLINING_FORM, READER_FORM } from './reader-answer.ts';
import { readerMessages } from './reader-prompt.ts';
import { relateAgain } from './relate-again.ts';

export interface OpenAiReaderOptions extends OpenAiConnection {
  /** Decides everything that needs no model. */
  readonly rules: ReaderRules;
  readonly limits?: Partial<ReaderLimits>;
  readonly callLimits?: CallLimits;
}

/** With instructions and answer, 12,000 characters fit into the 8,192 tokens that small local models take. */
const LIMITS: ReaderLimits = {
  charactersPerCall: 12_000,
  aroundUtterances: 8,
  knownMemories: 30,
  memoriesPerDocument: 200,
};
/** Local models take minutes. */
const CALL_LIMITS: CallLimits = {
  timeoutMs: 180_000,
  retries: { attempts: 4, firstWaitMs: 1_000, longestWaitMs: 20_000 },
};
const LONGEST_QUERY = 500;

interface ReaderContext extends AskContext {
  readonly limits: ReaderLimits;
  readonly rules: ReaderRules;
  readonly describe: (memory: string) => StatementTraits;
}

/** A part of the text that fits into one question. */
interface Batch {
  readonly fresh: readonly Utterance[];
  /** The utterances before it. */
  readonly around: readonly Utterance[];
  /** True: the part begins the text, so that its title and its summary are asked for. */
  readonly outlines: boolean;
}

const isMaterial = ({ role, text }: Utterance): boolean =>
  role !== 'system' && role !== 'tool' && text.trim() !== '';

const keepAnswers = (
  { rules, describe }: ReaderContext,
  answers: readonly AnsweredMemory[],
  { fresh, known }: { readonly fresh: readonly Utterance[]; readonly known: readonly ReferableMemory[] },
  progress: ReadingProgress,
): void => {
  const { request: source } = progress;
  const isExcluded = rules.excluding(source.guidance);
  const numbered: (ReferableMemory | undefined)[] = [...known];
  for (const answered of answers) {
    const isDropped = !isUsableStatement(answered) || isExcluded(answered.memory);
    const drawn = isDropped ? null : drawMemory(answered, { fresh, numbered, source, describe });
    numbered.push(drawn ? keepMemory(drawn, progress) : undefined);
  }
};

/** Things that the owner excluded stand in no title and no summary. */
const keepOutline = (
  { rules }: ReaderContext,
  outline: WrittenOutline | null,
  { request, written }: ReadingProgress,
): void => {
  const isExcluded = rules.excluding(request.guidance);
  if (outline !== null && !isExcluded(outline.title) && !isExcluded(outline.summary)) written.push(outline);
};

/** Reads one batch; a batch that is too long for the model is read in halves. */
const readBatch = async (
  context: ReaderContext,
  { fresh, around, outlines }: Batch,
  progress: ReadingProgress,
): Promise<void> => {
  const { chat, limits } = context;
  const known = referableMemories(progress, limits.knownMemories);
  const messages = readerMessages({ source: progress.request, fresh, context: around, known, outlines });
  const form = outlines ? OUTLINING_FORM : READER_FORM;
  const answer = await askForMemories(context, { messages, form }, progress).catch((error: unknown) => {
    if (error instanceof QuestionTooLong) return null;
    throw error;
  });
  if (answer) {
    if (outlines) keepOutline(context, answer.outline, progress);
    keepAnswers(context, answer.memories, { fresh, known }, progress);
    return;
  }
  const halves = halvedBatch(fresh);
  if (!halves) {
    const what = 'takes no question or finishes no answer, even for a few sentences';
    throw permanentFailure(chat.service, 'length', what);
  }
  const [first, second] = halves;
  await readBatch(context, { fresh: first, around, outlines }, progress);
  const aroundSecond = [...around, ...first].slice(-limits.aroundUtterances);
  await readBatch(context, { fresh: second, around: aroundSecond, outlines: false }, progress);
};

const readAll = async (context: ReaderContext, progress: ReadingProgress): Promise<ReadResult> => {
  const { limits, rules } = context;
  const { request, drawn } = progress;
  progress.signal?.throwIfAborted();
  const withoutServed = rules.withoutServed(request.conversation ? request.served : []);
  const fresh = request.fresh.map((one) => ({ ...one, text: withoutServed(one.text) })).filter(isMaterial);
  const first = fresh[0]?.position ?? 0;
  let around = request.around
    .filter((one) => isMaterial(one) && one.position < first)
    .slice(-limits.aroundUtterances);
  for (const [at, batch] of readerBatches(fresh, limits.charactersPerCall).entries()) {
    const outlines = at === 0 && request.fromStart === true;
    await readBatch(context, { fresh: batch, around, outlines }, progress);
    around = [...around, ...batch].slice(-limits.aroundUtterances);
  }
  const most = request.conversation ? drawn.length : limits.memoriesPerDocument;
  const [outline] = progress.written;
  return { memories: drawn.slice(0, most), ...(outline === undefined ? {} : { outline }) };
};

/** The memories nearest to utterances from all over the text, and those that the rules look up. */
function* lookupFor({ rules, limits }: ReaderContext, source: ReadSource): Steps<MemoryLookup> {
  const byRules = yield* rules.lookupFor(source);
  const texts = source.fresh.filter(isMaterial).map(({ text }) => cutText(text, LONGEST_QUERY));
  const step = Math.max(1, Math.ceil(texts.length / limits.knownMemories));
  return { ...byRules, nearestTo: texts.filter((_, at) => at % step === 0) };
}

export const createOpenAiReader = (options: OpenAiReaderOptions): MemoryReader => {
  const { rules, model } = options;
  const limits = { ...LIMITS, ...options.limits };
  const describe = (memory: string): StatementTraits =>
    rules.describe?.(memory) ?? { isStatic: false, slot: null, about: null };
  const callLimits = options.callLimits ?? CALL_LIMITS;
  const context: ReaderContext = { chat: openChat(options), callLimits, limits, rules, describe };
  return {
    name: `openai:${model}`,
    limits,
    lookupFor: (source) => lookupFor(context, source),
    read: (request: ReadRequest, { signal, reportTokens } = {}) =>
      readAll(context, { request, signal, reportTokens, drawn: [], written: [] }),
    *relate(drawn: readonly DrawnMemory[], known: readonly KnownMemory[]) {
      const ruled = rules.relate ? yield* rules.relate(drawn, known) : drawn;
      return relateAgain(drawn, known, ruled);
    },
    describe,
  };
};
