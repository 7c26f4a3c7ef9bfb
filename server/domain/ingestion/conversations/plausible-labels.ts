// Decides whether labelled lines really are messages: "User:" also heads a form, "Note:" a list, "Paris:" a glossary.
import { dateAtHead } from '../../../lib/text/dates/head-date.ts';
import { type Label, readSpeaker } from './labels.ts';

export interface LabelledLines {
  readonly source: string;
  readonly labels: readonly Label[];
  readonly starts: readonly number[];
  /** Non-blank lines before the first label, and in the whole text. */
  readonly leadLines: number;
  readonly filled: number;
}

/** A date, a title and a line of introduction may precede a short conversation. */
export const SHORT_LEAD = 3;

export const areRoles = ({ source, labels, starts, leadLines, filled }: LabelledLines): boolean => {
  const roles = new Set(labels.map((label) => label.role));
  const plain = labels.every((label) => label.plain);
  const form = () => looksLikeForm(source.slice(starts[0] ?? 0), labels.length);
  if (roles.has('user') && roles.has('assistant')) {
    if (labels.length >= 4) return true;
    return leadLines <= SHORT_LEAD && (plain || !form());
  }
  if (leadLines > SHORT_LEAD || !plain) return false;
  if (roles.size > 1) return true;
  // One role alone: messages, unless other lines look like the rest of a form ("Password: …").
  return filled - leadLines <= labels.length || !form();
};

/** Words that programs write before a colon and that are no names of people. */
const PROGRAM = /\b(?:info|warn(?:ing)?|error|debug|trace|fatal|notice|critical)\b|[=()<>{}[\]|\\/]/i;

const TITLED = /^(?:Dr|Prof|Mr|Mrs|Ms|Nurse)\b/;

export const areStamped = ({ labels, source, starts }: LabelledLines): boolean => {
  const people = labels.filter(({ speaker }) => speaker !== undefined && !PROGRAM.test(speaker)).length;
  if (labels.length === 1)
    return people > 0 && (TITLED.test(labels[0]?.word ?? '') || speaks(source, starts));
  return people > 0 && people >= labels.length / 2;
};

/** A programme has lines of this shape as well: in a chat each has a message below, and people speak or come again. */
export const areHeadlines = ({ labels, source, starts, leadLines }: LabelledLines): boolean => {
  const names = new Set(labels.map(({ speaker = '' }) => speaker));
  const isFilled = starts.every((start, i) => {
    const end = starts[i + 1] ?? source.length;
    return source.slice(start + (labels[i]?.length ?? 0), end).trim() !== '';
  });
  if (labels.length < 2 || leadLines > SHORT_LEAD || !isFilled || [...names].some(isHeading)) return false;
  return (names.size < labels.length && someSpeak(source, starts)) || speaks(source, starts);
};

/** Heads of lists, forms and notes that look like a name before a colon. */
const HEADINGS = new Set(
  `abstract action actions address age agenda agreed aim aims answer attachment attendees author background bcc body category caution cc
  city code comment conclusion conclusions context copyright country cost created date deadline decided decision default definition deliverables
  description design details dosage due duration email error example expected fax file findings from goal goals height hint hours hypothesis id image
  important info ingredients input instructions interpretation issue job key keywords language last license link list location memo message
  method methods mobile model monday name next no note notes number objective objectives order output overview owner participants password path
  phone place plan price priority problem project purpose quantity question questions rationale reason recipe reference references
  reminder reply-to requirements resolved result results role rule sender sent service setting significance size solution source start status step steps
  subject summary table task tasks tel telephone time timestamp tip title to todo topic total translation type updated url
  usage user username version volume warning website weight when where why yes tuesday wednesday thursday friday
  saturday sunday
  allergies allergy also announcement appointment appointments attention btw correction corrections diet event events fact facts family
  forget fyi health heads-up hobbies hobby idea ideas keep medical meeting meetings memorise memorize news new personal preference
  preferences ps remember remind request save school store thought thoughts up update updates wish wishes work
  achtung aktualisierung erinnerung hinweis korrektur merke notiz wichtig aviso corrección importante nota recordatorio recuerda rappel
  remarque souviens-toi avviso correzione promemoria ricorda aviso correção lembra lembre lembrete belangrijk herinnering onthoud`.split(
    /\s+/,
  ),
);

/** Words that a person uses when speaking to another. */
const SPEECH =
  /[?!]|\b(?:i|i'm|i’m|i've|i’ve|i'll|i’ll|me|my|mine|we|we're|our|us|you|your|you're|hi|hey|hello|thanks|thank|sorry|yeah|ok|okay|lol|wow)\b/i;

export const areSpeakers = ({ source, labels, starts, leadLines, filled }: LabelledLines): boolean => {
  const names = new Set<string>();
  let heads = 0;
  for (const { speaker = '' } of labels) {
    names.add(speaker);
    if (isHeading(speaker)) heads++;
  }
  if (heads > labels.length / 4) return false;
  const turns = labels.length;
  const lines = filled - leadLines;
  if (leadLines <= SHORT_LEAD && turns >= 2 && isChat(labels, names.size, someSpeak(source, starts)))
    return true;
  if (names.size >= 3 && areRecords(labels, names.size) && !speaks(source, starts)) return false;
  if (turns >= 3 && names.size >= 2 && names.size <= 30 && turns / names.size >= 1.5 && turns >= lines * 0.4)
    return true;
  if (leadLines > SHORT_LEAD || heads > 0 || turns < lines) return false;
  // A few messages, one of them by somebody who spoke before.
  if (turns >= 3 && names.size < turns && someSpeak(source, starts)) return true;
  if (turns > 3) return false;
  return speaks(source, starts) || isDated(source.slice(0, starts[0] ?? 0));
};

/** A programme begins its points at full hours and multiples of five minutes. */
const isExactTime = ({ keep = '' }: Label): boolean => /:\d[1-46-9]\b/.test(keep);

/** Handles before every line, or times of day that are to the minute, or with a speaker who speaks to another or comes again. */
const isChat = (labels: readonly Label[], names: number, speak: boolean): boolean =>
  labels.every(({ evidence }) => evidence === 'handle') ||
  (labels.every(({ evidence }) => evidence !== undefined) &&
    (speak ||
      labels.filter(isExactTime).length >= labels.length / 2 ||
      (labels.length >= 3 && names < labels.length)));

/** For a single message, a date above it is the only proof. */
const isDated = (lead: string): boolean => lead !== '' && dateAtHead(lead) !== undefined;

/** True for a word that heads a form, a list or a note ("Date", "Attendees", "Remember") and does not name a person. */
export const isHeading = (speaker: string): boolean => {
  const words = speaker.toLowerCase().split(' ');
  return HEADINGS.has(words[0] ?? '') || HEADINGS.has(words.at(-1) ?? '');
};

/** True if the same labels repeat in the same order, at least once as a whole: headers, cards, rows. */
const areRecords = (labels: readonly Label[], period: number): boolean => {
  if (labels.length < 2 * period) return false;
  let same = 0;
  for (let i = period; i < labels.length; i++) if (labels[i]?.speaker === labels[i - period]?.speaker) same++;
  return same >= (labels.length - period) * 0.9;
};

const speaksAt = (source: string, starts: readonly number[], i: number): boolean => {
  const start = starts[i] ?? 0;
  return SPEECH.test(source.slice(start, Math.min(starts[i + 1] ?? source.length, start + 2_000)));
};

/** A few single lines are messages only if each contains speech. */
const speaks = (source: string, starts: readonly number[]): boolean =>
  starts.every((_, i) => speaksAt(source, starts, i));

const someSpeak = (source: string, starts: readonly number[]): boolean =>
  starts.some((_, i) => speaksAt(source, starts, i));

const FORM_LINES = 20;

/** Lines of the shape "Key: value" besides the labelled ones. */
const looksLikeForm = (text: string, labelled: number): boolean => {
  const lines = text.slice(0, 4_000).split('\n', FORM_LINES);
  return lines.filter((line) => readSpeaker(line.slice(0, 80)) !== null).length > labelled;
};
