// The expiry that a statement states itself: "until Friday", "for the next two weeks".
import { DAY_MS } from '../../../../lib/text/dates/calendar.ts';
import type { FoundSpan } from './days.ts';
import { NUMBER_WORD, numberOf } from './grammar/words.ts';

const UNTIL = /\b(?:until|till|through|up to and including)\s(?:the\s(?:end|beginning)\sof\s)?(?:on\s)?$/i;
const FOR_NEXT = new RegExp(
  String.raw`\b(?:for|over|during)\s(?:the\s(?:next|coming)|another)\s(?<count>${NUMBER_WORD}|\d{1,3}|few|couple\sof)?\s?(?<unit>day|week|month|year)s?\b`,
  'i',
);
const FOR_MORE = new RegExp(
  String.raw`\bfor\s(?<count>${NUMBER_WORD}|\d{1,3}|a few)\smore\s(?<unit>day|week|month|year)s?\b`,
  'i',
);
const FOR_TODAY = /\b(?:just|only)\sfor\s(?:today|tonight)\b|\b(?:today|tonight)\sonly\b/i;
/** "has to wait until Friday", "postponed until 3 May": it takes place then. */
const BEGINS_THEN =
  /\b(?:(?:have|has|will|must|can) (?:to )?wait|postponed|put off|delayed|deferred|moved|pushed|rescheduled|adjourned|shifted)(?: back)? (?:until|till) (?:the (?:end|beginning) of )?(?:on )?$/i;
/** A period that was already over at the time of the statement gives no expiry. */
const OVER = /\b(?:was|were|had|did|didn't|lived|stayed|worked|waited|used\sto)\b/i;

const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 366 };

const unitCount = (word: string | undefined): number => {
  if (word === undefined) return 1;
  if (/few|couple/i.test(word)) return 3;
  return numberOf(word);
};

const endIn = (said: string, spans: readonly FoundSpan[], saidAt: number | null): number | null => {
  const until = spans.find((span) => {
    const before = said.slice(0, span.start);
    return UNTIL.test(before) && !BEGINS_THEN.test(before);
  });
  if (until) return until.to;
  if (saidAt === null) return null;
  if (FOR_TODAY.test(said)) return Math.floor(saidAt / DAY_MS) * DAY_MS + DAY_MS;
  const next = (FOR_NEXT.exec(said) ?? FOR_MORE.exec(said))?.groups;
  return next?.unit
    ? saidAt + unitCount(next.count) * (UNIT_DAYS[next.unit.toLowerCase()] ?? 1) * DAY_MS
    : null;
};

/** The end of the day after "until", or of "the next two weeks"; null if the statement names no end. */
export const expiryOf = (
  said: string,
  spans: readonly FoundSpan[],
  saidAt: number | null,
  isPast: () => boolean,
): number | null => {
  const end = endIn(said, spans, saidAt);
  return end === null || OVER.test(said) || isPast() ? null : end;
};
