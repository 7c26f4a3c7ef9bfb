// Forty short texts in each of seven languages, and twenty questions about them in other forms of the same words.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { BenchDocument, BenchSet, Space } from '../space.ts';

const languages = z.array(
  z.strictObject({
    language: z.string(),
    texts: z.array(z.string()),
    questions: z.array(z.strictObject({ text: z.string(), answer: z.int() })),
  }),
);

const documentOf = (text: string, at: number): BenchDocument => ({
  id: `${at}`,
  date: null,
  title: null,
  turns: [{ id: `${at}`, speaker: null, role: null, text }],
});

/** The questions in odd places were left aside while the stems were chosen. */
const halfOf = (at: number): string => (at % 2 === 0 ? 'dev' : 'aside');

/** `part`: one of the two halves; undefined: both. */
export function languagesSet(part: string | undefined): BenchSet {
  const file = new URL('languages.json', import.meta.url);
  const spaces = languages.parse(JSON.parse(readFileSync(file, 'utf8'))).map(
    ({ language, texts, questions }): Space => ({
      id: language,
      documents: texts.map(documentOf),
      questions: questions.flatMap(({ text, answer }, at) =>
        part === undefined || halfOf(at) === part
          ? [{ text, category: language, evidence: [`${answer}`] }]
          : [],
      ),
    }),
  );
  return { level: 'document', perQuestion: (limit) => limit, spaces };
}
