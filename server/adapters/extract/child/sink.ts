// The sink of one job: gathers parts into batches and waits until the parent took each, so that memory stays bounded.
import type { Content, Head, Sink } from '../contract.ts';
import { declarationOf } from '../extractor-list.ts';
import { failure } from '../failures.ts';
import { type AudioPiece, type ContentHead, type ContentPart, LONGEST_TEXT } from '../port.ts';
import type { Answer, Done } from '../protocol.ts';
import { tidy } from './tidy.ts';

export interface JobSink extends Sink {
  /** Sends the last batch. */
  end(): Promise<Done>;
}

/** An answer without the number of its job. */
export type JobEvent = Answer extends infer One
  ? One extends { event: string }
    ? Omit<One, 'number'>
    : never
  : never;

/** The way to the parent process. */
export interface ParentChannel {
  tell(event: JobEvent): void;
  /** Resolves when the batch was taken. */
  send(parts: readonly ContentPart[]): Promise<void>;
}

const BATCH = 256 * 1024;
const MOST_PARTS = 1_000;
/** A longer part is cut into several. */
const LONGEST_PART = BATCH;
const LONGEST_VALUE = 500;
const PROGRESS_MS = 200;

export const createSink = (
  content: Pick<Content, 'kind' | 'mimeType'>,
  { tell, send }: ParentChannel,
): JobSink => {
  const batches = createBatches(send);
  const notes: string[] = [];
  const audio: AudioPiece[] = [];
  let begun = false;
  let slow = false;
  let reportedAt = 0;
  return {
    begin(head) {
      if (begun) throw new Error('A sink accepts one head only.');
      begun = true;
      tell({ event: 'head', head: contentHead(content, head) });
    },
    async part(part) {
      await addPieces(batches, part);
      if (slow) await batches.flush();
    },
    progress(done, total, unit) {
      // The time limit of a recognised page ends with its report.
      if (!slow && done < total && performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      tell({ event: 'progress', progress: { done, total, unit } });
    },
    note: (sentence) => void notes.push(sentence),
    async slow() {
      slow = true;
      await batches.flush();
      tell({ event: 'pace', pace: 'ocr' });
    },
    audio: (piece) => void audio.push(piece),
    async end() {
      await batches.flush();
      if (batches.characters() === 0 && audio.length === 0) throw failure('no_text_found');
      return {
        ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
        ...(audio.length === 0 ? {} : { audio }),
      };
    },
  };
};

interface Batches {
  characters(): number;
  add(part: ContentPart): Promise<void>;
  flush(): Promise<void>;
}

const createBatches = (send: ParentChannel['send']): Batches => {
  let characters = 0;
  let batch: ContentPart[] = [];
  let size = 0;

  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const parts = batch;
    batch = [];
    size = 0;
    await send(parts);
  };

  return {
    characters: () => characters,
    flush,
    async add(part) {
      batch.push(part);
      size += part.text.length;
      characters += part.text.length;
      if (characters > LONGEST_TEXT) throw failure('text_too_large');
      if (size >= BATCH || batch.length >= MOST_PARTS) await flush();
    },
  };
};

/** A part as one piece, or as several that continue each other. */
const addPieces = async (batches: Batches, { continues, ...part }: ContentPart): Promise<void> => {
  const text = tidy(part.text);
  // A first part cannot continue anything.
  const goesOn = continues === true && batches.characters() > 0;
  if (!goesOn && text.trim() === '') return;
  for (let at = 0; at < text.length; ) {
    const end = endOfPiece(text, at);
    const piece = at === 0 && end === text.length ? text : text.slice(at, end);
    await batches.add({ ...part, text: piece, ...(goesOn || at > 0 ? { continues: true } : {}) });
    at = end;
  }
};

/** At a line end in the second half where there is one, else anywhere between two characters. */
const endOfPiece = (text: string, from: number): number => {
  const most = from + LONGEST_PART;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > from + LONGEST_PART / 2) return line;
  const low = text.charCodeAt(most);
  return low >= 0xdc00 && low <= 0xdfff ? most - 1 : most;
};

const contentHead = ({ kind, mimeType }: Pick<Content, 'kind' | 'mimeType'>, head: Head): ContentHead => {
  const title = oneLine(head.title ?? '');
  const metadata: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(head.metadata ?? {})) {
    const kept = typeof value === 'string' ? oneLine(value) : value;
    if (kept !== undefined && kept !== '') metadata[name] = kept;
  }
  const found = head.kind ?? kind;
  return {
    type: declarationOf(found).documentType ?? 'text',
    kind: found,
    mimeType,
    form: head.form,
    ...(title === '' ? {} : { title }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
};

const oneLine = (text: string): string =>
  tidy(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE).toWellFormed();
