// An answer of a source: its body is read as JSON, as text, or piece by piece.
import type { SourceAnswer } from '../port.ts';
import { SourceError } from '../source-error.ts';

/** The answer of the safe fetch. */
export interface AnswerBody {
  readonly status: number;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncGenerator<Buffer>;
  discard(): void;
}

const MOST_TEXT_BYTES = 20 * 1024 * 1024;
/** Enough of a refusal to know its reason. */
const SHORT_BYTES = 64 * 1024;

/** The beginning of the body; empty if it breaks off. */
export const shortText = async ({ body }: AnswerBody): Promise<string> => {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > SHORT_BYTES) break;
    }
  } catch {
    // The status alone decides then.
  }
  return Buffer.concat(pieces).toString('utf8', 0, SHORT_BYTES);
};

export const createSourceAnswer = (
  answer: AnswerBody,
  title: string,
  read: (bytes: number) => void,
): SourceAnswer => {
  async function* stream(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of answer.body) {
        read(piece.length);
        yield piece;
      }
    } catch (error) {
      throw new SourceError('provider_unavailable', `${title} broke off its answer.`, {
        status: answer.status,
        cause: error,
        syncGoesOn: 'It is read again later.',
      });
    }
  }
  const text = async (): Promise<string> => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    for await (const piece of stream()) {
      bytes += piece.length;
      if (bytes > MOST_TEXT_BYTES) {
        answer.discard();
        throw new SourceError('too_large', `${title} sent an answer of more than 20 MB, so it is not read.`);
      }
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  };
  return {
    status: answer.status,
    url: answer.url.href,
    headers: answer.headers,
    stream,
    text,
    async json() {
      const body = await text();
      try {
        return JSON.parse(body);
      } catch (error) {
        throw new SourceError('bad_answer', `${title} answered with something that is not JSON.`, {
          status: answer.status,
          cause: error,
          syncGoesOn: 'It is asked again at the next look.',
        });
      }
    },
    discard: answer.discard,
  };
};
