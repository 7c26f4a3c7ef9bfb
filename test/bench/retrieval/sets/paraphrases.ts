// Two hundred notes, and a question about each that shares no content word with it.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { BenchSet } from '../space.ts';

const pair = z.strictObject({ question: z.string(), answer: z.string() });
/** The second half was left aside while the weight of meaning was chosen. */
const halves = z.strictObject({ dev: z.array(pair), aside: z.array(pair) });

/** `part`: the questions of one half; undefined: of both. The notes are all of them. */
export function paraphrases(part: string | undefined): BenchSet {
  const { dev, aside } = halves.parse(
    JSON.parse(readFileSync(new URL('paraphrases.json', import.meta.url), 'utf8')),
  );
  const all = [
    ...dev.map((one) => ({ ...one, half: 'dev' })),
    ...aside.map((one) => ({ ...one, half: 'aside' })),
  ];
  return {
    level: 'document',
    perQuestion: (limit) => limit,
    spaces: [
      {
        id: 'paraphrases',
        documents: all.map(({ answer }, at) => ({
          id: `${at}`,
          date: null,
          title: null,
          turns: [{ id: `${at}`, speaker: null, role: null, text: answer }],
        })),
        questions: all.flatMap(({ question, half }, at) =>
          part === undefined || part === half
            ? [{ text: question, category: half, evidence: [`${at}`] }]
            : [],
        ),
      },
    ],
  };
}
