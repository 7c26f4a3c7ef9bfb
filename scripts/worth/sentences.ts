// The sentences that the model of worth learns from: those that somebody labelled in `test/memories/`.
import { readdirSync } from 'node:fs';
import {
  worthFeatures,
  worthWords,
} from '../../server/domain/memories/rules/english/gate/chance-of-worth.ts';
import { dashParts, quickParts } from '../../server/domain/memories/rules/english/grammar/clauses.ts';
import { expand } from '../../server/domain/memories/rules/english/grammar/contractions.ts';
import { toThirdPerson } from '../../server/domain/memories/rules/english/grammar/person.ts';
import { core } from '../../server/domain/memories/rules/english/sentences/openers.ts';
import { withSpeaker } from '../../server/domain/memories/rules/english/sentences/restored.ts';
import { told } from '../../server/domain/memories/rules/english/statement.ts';
import { grammar } from '../../server/domain/memories/rules/grammar.ts';
import { ENGLISH_ABBREVIATIONS } from '../../server/lib/text/sentences/sentence-marks.ts';
import { splitSentences } from '../../server/lib/text/sentences/split-sentences.ts';
import { matches, readFolder, type Scenario } from '../../test/memories/scenario.ts';
import { type ReadSet, readMarked } from '../../test/memories/sets.ts';
import { MEMORY_TEXTS, readMemoryTexts } from '../source/memory-texts.ts';
import { type Line, readWorlds, spokenLine, type World } from '../source/worlds.ts';

export interface Sentence {
  readonly group: string;
  readonly said: string;
  readonly row: readonly number[];
  readonly words: readonly string[];
  readonly isYes: boolean;
  readonly weight: number;
}

interface Labelled {
  readonly group: string;
  readonly text: string;
  readonly speaker: string | null;
  readonly isConversation: boolean;
  readonly isYes: boolean;
}

const DAY = Date.UTC(2025, 1, 10, 12);
/** A question is never drawn, and a word or two decide nothing. */
const isJudged = (sentence: string): boolean => !/\?\W*$/.test(sentence) && /\p{L}{2}.*\s\S/u.test(sentence);

const sentencesIn = (text: string): string[] =>
  splitSentences(text, ENGLISH_ABBREVIATIONS).flatMap(quickParts).flatMap(dashParts);

export const sentenceOf = ({ group, text, speaker, isConversation, isYes }: Labelled): Sentence[] =>
  sentencesIn(text)
    .filter(isJudged)
    .map((sentence) => {
      const name = speaker ?? 'the user';
      const said = core(expand(sentence));
      const { memory, eventDates } = told(
        toThirdPerson(isConversation ? withSpeaker(said) : said, { name, listener: null }),
        DAY,
      );
      const fact = grammar.factOf(memory);
      const isDated = eventDates.length > 0;
      const weighed = { said, memory, fact, names: [name], isDated, isConversation };
      const [row, words] = [worthFeatures(weighed), worthWords(weighed)];
      return { group, said: sentence, row, words, isYes, weight: 1 };
    });

const NOISE = /\{\{(.*?)\}\}/gs;
const ENGLISH =
  /^(?!german|spanish|french|italian|portuguese|chinese|dutch|polish|turkish|russian|japanese|korean|arabic|hindi)/;

/** True if the words hold something of a label. */
const isLabelled = (text: string, { facts, optional = [], passages = [] }: Scenario): boolean =>
  [...facts, ...optional, ...passages].some(({ says }) =>
    says.some((word) => matches({ says: [word] }, text)),
  );

/** The words of a scenario inside its marks state nothing; those outside state what its labels hold. */
const labelledIn = (scenarios: readonly Scenario[]): Labelled[] =>
  scenarios
    .filter(({ category }) => ENGLISH.test(category))
    .flatMap((scenario) =>
      scenario.steps.flatMap((step) => {
        if (!('add' in step)) return [];
        const isConversation = step.turns !== undefined;
        const lines: (readonly [string | null, string])[] = [
          ...(step.text ?? '').split('\n').map((line): [null, string] => [null, line]),
          ...(step.turns ?? []).map(([who, said]): [string, string] => [who, said]),
        ];
        return lines.flatMap(([who, line]) => {
          const speaker = who === null || /^(?:user|assistant)$/.test(who) ? null : who;
          const same = { group: scenario.id, speaker, isConversation };
          const noise = [...line.matchAll(NOISE)].map(([, text = '']) => ({ ...same, text, isYes: false }));
          if (who === 'assistant') return noise;
          const stated = sentencesIn(line.replace(NOISE, ' ').trim()).flatMap((text) => {
            const isYes = isLabelled(text, scenario);
            // A turn that no label speaks of may state something all the same; the frame of a text does not.
            return isYes || !isConversation ? [{ ...same, text, isYes }] : [];
          });
          return [...noise, ...stated];
        });
      }),
    );

const labelled = (group: string, { speaker, words, isConversation }: Line, isYes: boolean): Labelled => ({
  ...{ group, speaker, isConversation, isYes },
  text: words,
});

const saidInWorld = ({ name, known, later, chatter, lineOf }: World): Labelled[] => {
  const of = (said: string, isYes: boolean): Labelled => labelled(`world ${name}`, lineOf(said), isYes);
  return [
    ...[...known, ...later.map(([text]) => text)].map((said) => of(said, true)),
    ...chatter.map((said) => of(said, false)),
  ];
};

/** With the later sets too, the model keeps remarks of long talk: "We can achieve great things if we join forces". */
const SETS: readonly ReadSet[] = [
  'first',
  'tuned',
  'second',
  'third',
  'fourth',
  'fifth',
  'further',
  'sixth',
  'eighth',
];

export const readSentences = (): Sentence[] => {
  const files = readdirSync(new URL('worth/', MEMORY_TEXTS)).filter((file) => file.endsWith('.json'));
  const worth = files.sort().flatMap((file) =>
    readMemoryTexts<readonly { said: string; keep: boolean }[]>(`worth/${file}`).map((one, at) => ({
      ...one,
      group: `${file} ${at % 40}`,
    })),
  );
  const { first } = readMemoryTexts<{ first: { facts: string[]; chatter: string[] } }>(
    '../domain/memories/rules/sentences/changes-and-chatter.json',
  );
  const all: Labelled[] = [
    ...worth.map(({ group, said, keep }) => labelled(group, spokenLine(said, null), keep)),
    ...readWorlds().flatMap(saidInWorld),
    ...first.facts.map((text, at) => labelled(`first ${at % 7}`, spokenLine(text, null), true)),
    ...first.chatter.map((text, at) => labelled(`first ${at % 7}`, spokenLine(text, null), false)),
    ...[...SETS.map(readMarked), readFolder('scenarios')].flatMap(labelledIn),
  ];
  return all.flatMap(sentenceOf);
};
