// The measurable parts of a statement: times of the week and of the day, and numbers. Another one replaces them.
import { ruleTerms } from '../grammar/terms.ts';

const MEASURES =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|mornings?|evenings?|afternoons?|nights?|noon|midnight|daily|weekly|monthly|yearly|once|twice|\d[\d.,:/]*(?:\s?(?:am|pm|mg|ml|kg|km|h|k)\b)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/gi;
/** Part of a date or of a span: when something was said or began is no measure of it. */
const DATES =
  /\b(?:on|in|since|from|until|around) (?:\p{L}+day )?(?:\d{1,2}(?:st|nd|rd|th)? \p{L}+(?: \d{4})?|\p{L}+ \d{4}|\d{4})\b|\bfor \S+ (?:days|weeks|months|years)\b/gu;

export const measuresOf = (text: string): string[] =>
  ruleTerms((text.replace(DATES, '').match(MEASURES) ?? []).join(' ').toLowerCase()).filter(
    (term) => term !== '',
  );
