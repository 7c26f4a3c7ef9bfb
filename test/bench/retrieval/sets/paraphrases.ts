// Two hundred notes, and a question about each that shares no content word with it. For the default threshold: questions
// that nothing answers, about matters of every day and about the very matters of the notes.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { BenchSet, Space, UnansweredQuestion } from '../space.ts';

const pair = z.strictObject({ question: z.string(), answer: z.string() });
/** The second half was left aside while the weight of meaning and the threshold were chosen. */
const halves = z.strictObject({
  dev: z.array(pair),
  aside: z.array(pair),
  unanswered: z.strictObject({ dev: z.array(z.string()), aside: z.array(z.string()) }),
});
type Pair = z.infer<typeof pair>;
type Half = 'dev' | 'aside';

const noteOf = (answer: string, id: string): Space['documents'][number] => ({
  id,
  date: null,
  title: null,
  turns: [{ id, speaker: null, role: null, text: answer }],
});

/** Notes that are asked the questions of others: about the same matters, and rarely answered. */
const sameMatters = (id: string, notes: readonly Pair[], others: readonly Pair[]): Space => ({
  id,
  documents: notes.map(({ answer }, at) => noteOf(answer, `${at}`)),
  questions: [],
  unanswered: others.map(({ question }) => ({ text: question, category: 'the same matters' })),
});

const crossedHalves = (half: Half, pairs: readonly Pair[]): Space[] => {
  const first = pairs.slice(0, pairs.length / 2);
  const second = pairs.slice(pairs.length / 2);
  return [
    sameMatters(`paraphrases-${half}-1`, first, second),
    sameMatters(`paraphrases-${half}-2`, second, first),
  ];
};

/** `part`: the questions of one half; undefined: of both. The notes are all of them. */
export function paraphrases(part: string | undefined): BenchSet {
  const { unanswered, ...pairs } = halves.parse(
    JSON.parse(readFileSync(new URL('paraphrases.json', import.meta.url), 'utf8')),
  );
  const asked = (['dev', 'aside'] as const).filter((half) => part === undefined || part === half);
  const all = [
    ...pairs.dev.map((one) => ({ ...one, half: 'dev' as const })),
    ...pairs.aside.map((one) => ({ ...one, half: 'aside' as const })),
  ];
  const everyDay = (text: string): UnansweredQuestion => ({ text, category: 'every day' });
  return {
    level: 'document',
    perQuestion: (limit) => limit,
    spaces: [
      {
        id: 'paraphrases',
        documents: all.map(({ answer }, at) => noteOf(answer, `${at}`)),
        questions: all.flatMap(({ question, half }, at) =>
          asked.includes(half) ? [{ text: question, category: half, evidence: [`${at}`] }] : [],
        ),
        unanswered: asked.flatMap((half) => unanswered[half].map(everyDay)),
      },
      ...asked.flatMap((half) => crossedHalves(half, pairs[half])),
    ],
  };
}
