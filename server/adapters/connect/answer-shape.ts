// Answers of sources in the expected shape: only the fields that are read are named, because sources add others at any time.
import type { z } from 'zod';
import type { Ask, AskRequest, SourceAnswer } from './port.ts';
import { SourceError } from './source-error.ts';

/** `what` names the answer for people, as in "the list of repositories". */
export const answerAs = async <Shape extends z.ZodType>(
  answer: Pick<SourceAnswer, 'json'>,
  shape: Shape,
  what: string,
): Promise<z.output<Shape>> => {
  const parsed = shape.safeParse(await answer.json());
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SourceError(
    'bad_answer',
    `The source answered with something else than ${what} (${issue?.path.join('.') || 'as a whole'}: ${issue?.message ?? 'unknown'}).`,
    { syncGoesOn: 'It is asked again at the next look.' },
  );
};

export interface Asking<Shape extends z.ZodType> {
  readonly shape: Shape;
  readonly what: string;
  readonly request?: AskRequest;
  readonly signal: AbortSignal;
}

export const askAs = async <Shape extends z.ZodType>(
  ask: Ask,
  address: string,
  { shape, what, request, signal }: Asking<Shape>,
): Promise<z.output<Shape>> => answerAs(await ask(address, request, signal), shape, what);
