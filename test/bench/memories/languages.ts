// Sentences in ten languages: those that state something about the user, and those that do not.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Matcher, matches } from '../../memories/scenario.ts';
import type { Service } from './play.ts';

const language = z.strictObject({
  language: z.string(),
  /** Whether statements become memories, or stay passages. */
  memories: z.boolean(),
  /** The words that a memory has to hold stand in brackets. */
  statements: z.array(z.string()),
  nothing: z.array(z.string()),
});
type Language = z.output<typeof language>;

const FOLDER = join(import.meta.dirname, '..', '..', 'memories', 'languages');
const FIRST = 5;

const readLanguages = (): Language[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .map((name) => language.parse(JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))));

const matcherOf = (statement: string): Matcher => ({
  says: [...statement.matchAll(/\[(.*?)\]/g)].map(([, words = '']) => words),
});

const said = (statement: string): string => statement.replace(/[[\]]/g, '');

const fill = async ({ client }: Service, tag: string, sentences: readonly string[]): Promise<void> => {
  const ids = sentences.map((sentence, at) =>
    client.add(tag, { content: `user: ${said(sentence)}`, customId: `${tag}-${at}`, metadata: {} }),
  );
  await client.done(await Promise.all(ids));
};

/** A bare copy of "Ich wohne in Erfurt" is no memory: it does not name its subject. */
const isHeldIn = (statement: string, memory: string): boolean =>
  memory !== said(statement) && matches(matcherOf(statement), memory);

const memoriesIn = async ({ memories }: Service, tag: string): Promise<string[]> =>
  (await memories.known(tag)).entries.map(({ memory }) => memory);

const foundIn = async ({ memories }: Service, tag: string, matcher: Matcher): Promise<boolean> => {
  const asked = { q: matcher.says.join(' '), containerTag: tag, searchMode: 'hybrid', threshold: 0 };
  const found = await memories.search({ ...asked, limit: FIRST });
  return found.some(({ text }) => matches(matcher, text));
};

const share = (part: number, whole: number): string =>
  whole === 0 ? '-' : `${((100 * part) / whole).toFixed(0)} % (${part} of ${whole})`;

const printAll = (title: string, lines: readonly string[]): void => {
  for (const line of lines) console.log(`  ${title}: ${line}`);
};

export async function measureLanguages(service: Service, details: boolean): Promise<void> {
  for (const { language, memories, statements, nothing } of readLanguages()) {
    const [stated, chatted] = [`bench-${language}`, `bench-${language}-nothing`];
    await fill(service, stated, statements);
    await fill(service, chatted, nothing);
    const drawn = await memoriesIn(service, stated);
    const fromNothing = await memoriesIn(service, chatted);
    const missed = statements.filter((one) => !drawn.some((memory) => isHeldIn(one, memory)));
    const wrong = drawn.filter((memory) => !statements.some((one) => isHeldIn(one, memory)));
    const unfound: string[] = [];
    for (const one of statements) if (!(await foundIn(service, stated, matcherOf(one)))) unfound.push(one);
    const all = statements.length;
    const made = drawn.length + fromNothing.length;
    const wanted = memories ? 'memories wanted' : 'no memory wanted';
    console.log(
      `${language.padEnd(10)} (${wanted}): in a memory ${share(all - missed.length, all)}, precision ${share(drawn.length - wrong.length, made)}, ` +
        `${made} drawn, ${fromNothing.length} of them from sentences without a statement, found ${share(all - unfound.length, all)}`,
    );
    if (!details) continue;
    if (memories) printAll('in no memory', missed);
    printAll('wrong memory', memories ? [...wrong, ...fromNothing] : [...drawn, ...fromNothing]);
    printAll('not found', unfound);
  }
}
