// Attacks on profiles of others: by their tag, and through the caller's own profile.
import { COMMON_STATEMENT } from '../parties.ts';
import type { Input } from '../ways.ts';
import { type Attack, type Cast, filtersFor, namingTheirTag } from './attack.ts';

/** A profile is of one tag, so that naming several is refused to every caller. */
const namingOneTag = (more: (cast: Cast) => Input, rest: Partial<Attack> = {}): Attack[] => [
  ...namingTheirTag(more, rest).filter(({ how }) => !how.includes('tags')),
  {
    how: 'naming their tag in the plural',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTags: [cast.tag] }),
    ...rest,
  },
];

const question = ({ theirs, chance }: Cast): string =>
  chance.pick([...theirs.memories.map(({ content }) => content), COMMON_STATEMENT]);

/** Only so many lines are shown, and the newest need not be those that the test looks for. */
const newest = { shows: 'answer' } as const;

const ownTag = ({ own }: Cast) => ({ containerTag: own.tags[0] });

const profile: Attack[] = [
  ...namingOneTag(() => ({}), newest),
  ...namingOneTag((cast) => ({ q: question(cast), threshold: 0, include: ['static', 'dynamic', 'buckets'] })),
  { how: 'of its own tag', ...newest, input: ownTag },
  {
    how: 'of its own tag, searching for theirs',
    input: (cast) => ({ ...ownTag(cast), q: question(cast), threshold: 0 }),
  },
  {
    how: 'of its own tag with a filter for theirs',
    shows: 'answer',
    input: (cast) => ({ ...ownTag(cast), q: question(cast), threshold: 0, filters: filtersFor(cast) }),
  },
];

export const onProfile: Readonly<Record<string, readonly Attack[]>> = {
  'profile.get': profile,
  'profile.ofTag': [
    { how: 'of their tag', refused: 403, ...newest, input: ({ tag }) => ({ containerTag: tag }) },
    { how: 'of its own tag', ...newest, input: ownTag },
  ],
  'profile.buckets': namingOneTag(() => ({}), { shows: 'answer' }),
};
