// Finds out who is at fault when a request for embeddings fails: the service, or one of the texts.
import { IngestError } from '../../core/errors.ts';

/** Requests vectors for texts, one for each, in order. */
export type SendTexts = (texts: readonly string[], signal?: AbortSignal) => Promise<Float32Array[]>;

export interface IsolatingSend {
  readonly send: SendTexts;
  /** Requests the vector of a plain short text; rejects while the service gives none. */
  readonly probe: (signal?: AbortSignal) => Promise<unknown>;
  /** A shorter form of a text that is too long for the service; null: there is none. */
  readonly shorten: (text: string) => string | null;
}

const isTooLong = (error: unknown): boolean =>
  error instanceof IngestError && error.code === 'embedding_length';

/** Key, model and rate do not depend on the text. */
const dependsOnText = (error: unknown): error is IngestError =>
  error instanceof IngestError &&
  error.byProvider &&
  error.code !== 'embedding_auth' &&
  error.code !== 'embedding_model' &&
  error.retryAfterMs === undefined;

/** The service answers other texts and not this one: a refusal is permanent, any other failure may pass. */
const textFailure = (error: IngestError): IngestError =>
  error.code === 'embedding_refused' || isTooLong(error)
    ? new IngestError(
        'text_refused',
        `${error.explanation} The service answers other texts, so this one is not tried again. Change it, or configure another model and run memoir retry.`,
        { cause: error },
      )
    : new IngestError(
        'text_not_embedded',
        `${error.explanation} The service answers other texts. This one is tried a few more times.`,
        { retryable: true, cause: error },
      );

const halves = (texts: readonly string[]): (readonly string[])[] => {
  const middle = Math.ceil(texts.length / 2);
  return [texts.slice(0, middle), texts.slice(middle)];
};

/**
 * Sends the texts of a request, and after a failure a plain text. If that is answered, the request is repeated in halves:
 * it was too large, or one of its texts is at fault, which fails alone. A text that is too long is sent in a shorter form.
 */
export const sendIsolating =
  ({ send, probe, shorten }: IsolatingSend): SendTexts =>
  (texts, signal) => {
    const sendAll: SendTexts = async (some) => {
      try {
        return await send(some, signal);
      } catch (error) {
        signal?.throwIfAborted();
        if (!dependsOnText(error)) throw error;
        if (!isTooLong(error) && !(await answers())) throw error;
        if (some.length === 1) return sendAlone(some);
      }
      const vectors: Float32Array[] = [];
      for (const half of halves(some)) vectors.push(...(await sendAll(half)));
      return vectors;
    };
    const answers = async (): Promise<boolean> => {
      try {
        await probe(signal);
        return true;
      } catch {
        signal?.throwIfAborted();
        return false;
      }
    };
    /** Once more, because the service may have become well between the two requests. */
    const sendAlone: SendTexts = async (texts) => {
      try {
        return await send(texts, signal);
      } catch (error) {
        signal?.throwIfAborted();
        const shorter = isTooLong(error) ? texts.map(shorten).filter((text) => text !== null) : [];
        if (shorter.length > 0) return sendAlone(shorter);
        // A service that refuses the plain text as well is at fault itself.
        if (isTooLong(error) && !(await answers())) throw error;
        throw dependsOnText(error) ? textFailure(error) : error;
      }
    };
    return sendAll(texts);
  };
