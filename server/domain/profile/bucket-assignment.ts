// Assigns statements to buckets without a model, by the terms of the buckets' keys and descriptions.
import { analyse } from '../../lib/text/terms/analyse.ts';
import { tellsPreference } from './preferences.ts';
import { TOPICS_WITH_WORDS } from './topic-words.ts';

export interface Bucket {
  key: string;
  description: string;
}

/** The bucket that every organisation has. Preferences are recognised by patterns, because no single word marks them. */
const PREFERENCES = 'preferences';

/** Words that descriptions of buckets use whatever their subject. */
const UNINFORMATIVE = new Set(
  analyse(`
    about abstract anything area aspect belong category choice concrete content context core current decision describe
    detail directly domain entity everything exclude explicit expressed fact first general include individual info
    information item kind know like likes matter mention most nature new note observation other outside overall own
    person personal personally place preference prefer preferences primary regarding related relevant say short
    something specific state stated statement stuff term thing things topic trait type upcoming user various want way
  `),
);

/** Stems of at least this length belong to the same word when one begins with the other. */
const SHORTEST_STEM = 5;

interface CompiledBucket {
  key: string;
  terms: Set<string>;
  /** The terms that are long enough for a comparison by their beginning. */
  stems: readonly string[];
  takes: (statement: string) => boolean;
}

const topicTerms = (terms: ReadonlySet<string>): string[] =>
  TOPICS_WITH_WORDS.filter(({ names }) => names.flatMap(analyse).some((name) => terms.has(name))).flatMap(
    ({ words }) => words.flatMap(analyse),
  );

const never = () => false;

const compileBucket = ({ key, description }: Bucket): CompiledBucket => {
  const own = new Set(analyse(key.replaceAll(/[-_]/g, ' ')));
  for (const term of analyse(description)) if (!UNINFORMATIVE.has(term)) own.add(term);
  const terms = new Set([...own, ...topicTerms(own)]);
  return {
    key,
    terms,
    stems: [...terms].filter((term) => term.length >= SHORTEST_STEM),
    takes: key === PREFERENCES ? tellsPreference : never,
  };
};

const haveSameStem = (a: string, b: string): boolean =>
  a.length >= SHORTEST_STEM && b.length >= SHORTEST_STEM && (a.startsWith(b) || b.startsWith(a));

const sharesTerm = ({ terms, stems }: CompiledBucket, statementTerms: readonly string[]): boolean =>
  statementTerms.some((term) => terms.has(term) || stems.some((stem) => haveSameStem(stem, term)));

/** A statement may belong to several buckets or to none. */
export const createBucketAssigner = (buckets: readonly Bucket[]): ((statement: string) => string[]) => {
  const compiled = buckets.map(compileBucket);
  return (statement) => {
    const statementTerms = [...new Set(analyse(statement))];
    return compiled
      .filter((bucket) => bucket.takes(statement) || sharesTerm(bucket, statementTerms))
      .map(({ key }) => key);
  };
};
