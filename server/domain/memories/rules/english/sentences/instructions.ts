// Recognises standing instructions: "Always answer in French" is worth keeping, "Answer in French" is a request.
import { verbTokensOf } from '../grammar/verbs.ts';

const STANDING =
  /^(?:please )?(?:(?<from>from now on|in (?:the )?future|going forward),?\s(?:please )?)?(?<adverb>always|never|don't ever|do not ever)?\s?(?<verb>[\p{L}']+)\s.+$/iu;

/** "Keep answers short": it is about all answers, and not about the next one. */
const ABOUT_ALL_ANSWERS =
  /^(?:please )?(?:keep|make|write|format|give|leave|put) (?:(?:all|your|the|my|me) )*(?:answers|replies|responses|explanations|summaries|comments|commit messages)\b.*$/i;

/** The instruction without its end; null if the sentence is not an instruction. */
export const instructionIn = (sentence: string): string | null => {
  const plain = sentence.replace(/[\s.!]+$/, '');
  if (ABOUT_ALL_ANSWERS.test(plain))
    return plain.replace(/^please /i, '').replace(/^./u, (letter) => letter.toLowerCase());
  const { from, adverb, verb = '' } = STANDING.exec(plain)?.groups ?? {};
  if (from === undefined && adverb === undefined) return null;
  const isOrder =
    verbTokensOf(plain)
      .find(({ word }) => word === verb)
      ?.verb?.forms.has('plain') === true && verb.toLowerCase() !== 'been';
  return isOrder || /^don't$/i.test(verb) ? plain.charAt(0).toLowerCase() + plain.slice(1) : null;
};

export const instructionExamples: readonly (readonly [string, string | null])[] = [
  ['Always answer in French.', 'always answer in French'],
  ['Never commit to the main branch', 'never commit to the main branch'],
  ['From now on, use tabs', 'from now on, use tabs'],
  ['Please keep your answers short.', 'keep your answers short'],
  ['Answer in French', null],
  ['Never been to Japan', null],
];
