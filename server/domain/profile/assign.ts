// Which buckets a statement belongs to, without a model: by the terms of their keys and descriptions.
import { analyse } from '../../lib/text/analyse.ts';
import { tellsTaste } from './tastes.ts';
import { TOPIC_WORDS } from './topics.ts';

export interface Bucket {
  key: string;
  description: string;
}

/** The bucket that every organisation has; how a preference is told is not a matter of one word. */
const PREFERENCES = 'preferences';

/** What descriptions of buckets say whatever they are about. */
const SAYS_NOTHING = new Set(
  analyse(`
    about abstract anything area aspect belong category choice concrete content context core current decision describe
    detail directly domain entity everything exclude explicit expressed fact first general include individual info
    information item kind know like likes matter mention most nature new note observation other outside overall own
    person personal personally place preference prefer preferences primary regarding related relevant say short
    something specific state stated statement stuff term thing things topic trait type upcoming user various want way
  `),
);

/** Stems that share this many letters at least, the one the beginning of the other, are of one word. */
const SHORTEST_STEM = 5;

interface Compiled {
  key: string;
  terms: Set<string>;
  /** Those of the terms that are long enough to be the beginning of another. */
  stems: readonly string[];
  takes: (statement: string) => boolean;
}

const topicTerms = (terms: ReadonlySet<string>): string[] =>
  TOPIC_WORDS.filter(({ names }) => names.flatMap(analyse).some((name) => terms.has(name))).flatMap(
    ({ words }) => words.flatMap(analyse),
  );

const never = () => false;

function compile({ key, description }: Bucket): Compiled {
  const own = new Set(analyse(key.replaceAll(/[-_]/g, ' ')));
  for (const term of analyse(description)) if (!SAYS_NOTHING.has(term)) own.add(term);
  const terms = new Set([...own, ...topicTerms(own)]);
  return {
    key,
    terms,
    stems: [...terms].filter((term) => term.length >= SHORTEST_STEM),
    takes: key === PREFERENCES ? tellsTaste : never,
  };
}

const isOfOneWord = (a: string, b: string): boolean =>
  a.length >= SHORTEST_STEM && b.length >= SHORTEST_STEM && (a.startsWith(b) || b.startsWith(a));

const holds = ({ terms, stems }: Compiled, said: readonly string[]): boolean =>
  said.some((term) => terms.has(term) || stems.some((stem) => isOfOneWord(stem, term)));

/** A statement may belong to several, or to none. */
export function createAssigner(buckets: readonly Bucket[]): (statement: string) => string[] {
  const compiled = buckets.map(compile);
  return (statement) => {
    const said = [...new Set(analyse(statement))];
    return compiled.filter((bucket) => bucket.takes(statement) || holds(bucket, said)).map(({ key }) => key);
  };
}
