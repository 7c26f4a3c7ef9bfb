// Gathers parts into batches and waits until each was taken, so that a long document never stands in memory twice.
import { failure } from '../failures.ts';
import type { Content, Head, Sink } from '../kinds/contract.ts';
import type { ContentHead, ContentPart } from '../port.ts';
import type { Answer, AudioPiece, Done } from '../protocol.ts';
import { tidy } from './tidy.ts';
import { documentType } from './types.ts';

export interface Batches extends Sink {
  /** What is left goes out. */
  end(): Promise<Done>;
}

type Told = Answer extends infer One ? (One extends { event: string } ? Omit<One, 'number'> : never) : never;

const BATCH = 256 * 1024;
const MOST_PARTS = 1_000;
/** Also the longest part; one that is longer comes as several. */
const LONGEST_PART = BATCH;
const LONGEST_TEXT = 30_000_000;
const LONGEST_VALUE = 500;
const PROGRESS_MS = 200;

/** `send` resolves when the batch was taken. */
export function createSink(
  content: Pick<Content, 'kind' | 'mimeType'>,
  tell: (answer: Told) => void,
  send: (parts: readonly ContentPart[]) => Promise<void>,
): Batches {
  let begun = false;
  let characters = 0;
  let batch: ContentPart[] = [];
  let size = 0;
  let told = 0;
  const notes: string[] = [];
  const audio: AudioPiece[] = [];

  const flush = async (): Promise<void> => {
    if (batch.length === 0) return;
    const parts = batch;
    batch = [];
    size = 0;
    await send(parts);
  };

  const add = async (part: ContentPart): Promise<void> => {
    batch.push(part);
    size += part.text.length;
    characters += part.text.length;
    if (characters > LONGEST_TEXT) throw failure('text_too_large');
    if (size >= BATCH || batch.length >= MOST_PARTS) await flush();
  };

  return {
    begin(head) {
      if (begun) throw new Error('The head of a content is told once.');
      begun = true;
      tell({ event: 'head', head: headOf(content, head) });
    },
    async part(part) {
      const text = tidy(part.text);
      // What would go on with nothing is a beginning.
      const { continues, ...rest } = part;
      const goesOn = continues === true && characters > 0;
      if (!goesOn && text.trim() === '') return;
      for (let at = 0; at < text.length; ) {
        const end = endOfPiece(text, at);
        const piece = at === 0 && end === text.length ? text : text.slice(at, end);
        await add({ ...rest, text: piece, ...(goesOn || at > 0 ? { continues: true } : {}) });
        at = end;
      }
    },
    progress(done, total, unit) {
      if (done < total && performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      tell({ event: 'progress', progress: { done, total, unit } });
    },
    note(sentence) {
      notes.push(sentence);
    },
    slow() {
      tell({ event: 'pace', pace: 'ocr' });
    },
    audio(piece) {
      audio.push(piece);
    },
    async end() {
      await flush();
      if (characters === 0 && audio.length === 0) throw failure('no_text_found');
      return {
        ...(notes.length === 0 ? {} : { note: notes.join(' ') }),
        ...(audio.length === 0 ? {} : { audio }),
      };
    },
  };
}

/** At the end of a line where there is one in the second half, else anywhere but inside of a character. */
function endOfPiece(text: string, from: number): number {
  const most = from + LONGEST_PART;
  if (most >= text.length) return text.length;
  const line = text.lastIndexOf('\n', most - 1) + 1;
  if (line > from + LONGEST_PART / 2) return line;
  const low = text.charCodeAt(most);
  return low >= 0xdc00 && low <= 0xdfff ? most - 1 : most;
}

function headOf({ kind, mimeType }: Pick<Content, 'kind' | 'mimeType'>, head: Head): ContentHead {
  const title = oneLine(head.title ?? '');
  const metadata: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(head.metadata ?? {})) {
    const said = typeof value === 'string' ? oneLine(value) : value;
    if (said !== undefined && said !== '') metadata[name] = said;
  }
  const found = head.kind ?? kind;
  return {
    type: documentType(found),
    kind: found,
    mimeType,
    form: head.form,
    ...(title === '' ? {} : { title }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}

const oneLine = (text: string): string =>
  tidy(text).replace(/\s+/g, ' ').trim().slice(0, LONGEST_VALUE).toWellFormed();
