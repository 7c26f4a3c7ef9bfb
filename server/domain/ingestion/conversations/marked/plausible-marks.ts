// Decides whether marked messages really are a conversation: "[user]" also stands in a log, "<user>" in data.
import { SHORT_LEAD } from '../plausible-labels.ts';
import { isPlainRole, roleOf } from '../roles.ts';
import type { PairedMark } from './find-marks.ts';
import type { MarkedForm } from './forms.ts';

export interface MarkedText {
  readonly text: string;
  /** True for text outside all messages. */
  readonly isOutside: boolean;
}

/** Text between and after the messages, at most this share of their length. */
const OUTSIDE = 1 / 8;
/** Marks with other words, at most this share of the messages: a log has one on each line. */
const FOREIGN = 1 / 3;
/** From this number on, messages are not just an example inside a text. */
const MANY = 4;

export const areMessages = (
  source: string,
  form: MarkedForm,
  marks: readonly PairedMark[],
  texts: readonly MarkedText[],
): boolean => {
  const messages = marks.filter(({ kind }) => kind === 'opens');
  const [first] = messages;
  if (first === undefined) return false;
  const lead = texts[0]?.isOutside ? source.slice(0, first.start) : '';
  const leadLines = countFilledLines(lead);
  const outside = lengthOf(texts.slice(lead === '' ? 0 : 1).filter((one) => one.isOutside));
  const inside = lengthOf(texts.filter((one) => !one.isOutside));
  if (leadLines > SHORT_LEAD && messages.length < MANY) return false;
  if (outside > inside * OUTSIDE) return false;
  if (form.proof === 'roles' && texts.every(isSetting)) return false;
  return proves[form.proof]({ marks, messages, lead, outside });
};

/** Configuration has sections in brackets, with settings. */
const isSetting = ({ text }: MarkedText): boolean => /^[\w.-]{1,60}[ \t]{0,8}=/.test(text);

const countFilledLines = (text: string): number =>
  text.split('\n').filter((line) => line.trim() !== '').length;

const lengthOf = (texts: readonly MarkedText[]): number =>
  texts.reduce((sum, { text }) => sum + text.length, 0);

interface Evidence {
  readonly marks: readonly PairedMark[];
  readonly messages: readonly PairedMark[];
  /** The text before the first message. */
  readonly lead: string;
  /** The length of the text between and after the messages. */
  readonly outside: number;
}

const proves: Record<MarkedForm['proof'], (evidence: Evidence) => boolean> = {
  marks: ({ messages, lead, outside }) =>
    (messages.length > 1 || (lead === '' && outside === 0)) &&
    messages.some(({ word }) => roleOf(word) !== null),
  closed: ({ messages, lead, outside }) =>
    outside === 0 &&
    !lead.includes('<') &&
    messages.every(({ pair }, i) => pair >= 0 || i === messages.length - 1) &&
    areBothSides(messages),
  roles: ({ marks, messages }) => {
    if (marks.some(({ isSession }) => isSession)) return true;
    return foreignRuns(marks) <= messages.length * FOREIGN && areBothSides(messages);
  },
};

/** A user and an assistant, at least one of them by a word without another meaning. */
const areBothSides = (messages: readonly PairedMark[]): boolean => {
  const roles = new Set(messages.map(({ word }) => roleOf(word)));
  const talking = messages.filter(({ word }) => roleOf(word) === 'user' || roleOf(word) === 'assistant');
  return roles.has('user') && roles.has('assistant') && talking.some(({ word }) => isPlainRole(word));
};

/** Adjacent marks with other words count once: a message may quote lines of a log. */
const foreignRuns = (marks: readonly PairedMark[]): number =>
  marks.filter(({ kind }, i) => kind === 'foreign' && marks[i - 1]?.kind !== 'foreign').length;
