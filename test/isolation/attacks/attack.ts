// One attempt to reach the data of another tag, as an input of an operation.
import type { Party, PartyDocument } from '../parties.ts';
import type { Chance } from '../secrets.ts';
import type { Input } from '../ways.ts';

/** The parties of an attack. In a control both sides are the same party: the call is then no attack and must succeed. */
export interface Cast {
  own: {
    /** Those of the calling key. */
    tags: readonly string[];
    /** One of its own documents, another one each time. */
    document(): { id: string };
  };
  theirs: Party;
  /** One of their documents. */
  target: PartyDocument;
  /** One of their tags. */
  tag: string;
  chance: Chance;
}

/**
 * The effect of the same call when the owner makes it, which proves that each attempt is a real one:
 * - `secret`: something of the owner's in the answer
 * - `change`: something of the owner's is different afterwards
 * - `answer`: a success and no more
 * - `nothing`: the item does not exist, so the call succeeds for no caller
 */
export type Shows = 'secret' | 'change' | 'answer' | 'nothing';

export interface Attack {
  how: string;
  /** The status it must get. Without: the caller's own things may answer, and theirs must not. */
  refused?: 403 | 404;
  /** That status also from an attacker who may read the target and not change it. */
  refusedAlike?: true;
  /** Default: `secret` for an operation that reads, `change` for one that writes. */
  shows?: Shows;
  /** Asks for what is being processed, so something must be. */
  duringImport?: boolean;
  /**
   * Leaves names of theirs on things of its own, under which tags: so it comes after all that ask for those names, and
   * `in several` after `in one`, for what carries several tags may not be changed with a key to one of them.
   */
  plants?: 'in one' | 'in several';
  input(cast: Cast): Input;
}

type More = (cast: Cast) => Input;

const nothingMore: More = () => ({});

/** Every way to name a foreign tag, with the other fields that the operation needs. */
export const namingTheirTag = (more: More = nothingMore, rest: Partial<Attack> = {}): Attack[] => [
  {
    how: 'naming their tag',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTag: cast.tag }),
    ...rest,
  },
  {
    how: 'naming all of their tags',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTags: [...cast.theirs.tags] }),
    ...rest,
  },
  {
    how: 'naming its own tags and theirs',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTags: [...cast.own.tags, cast.tag] }),
    ...rest,
  },
  {
    how: 'naming its own tags in one field and theirs in the other',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTag: cast.tag, containerTags: [...cast.own.tags] }),
    ...rest,
  },
  {
    how: 'naming a tag that only looks like theirs',
    refused: 403,
    input: (cast) => ({ ...more(cast), containerTag: cast.chance.pick(lookAlikes)(cast.tag) }),
    ...rest,
    shows: 'nothing',
  },
];

const lookAlikes = [
  (tag: string) => tag.toUpperCase(),
  (tag: string) => `${tag} `,
  (tag: string) => tag.slice(0, -1),
  (tag: string) => `${tag.slice(0, -1)}%`,
  (tag: string) => `${tag.slice(0, 3)}*`,
  (tag: string) => `' or tag like '${tag.slice(0, 4)}%`,
] as const;

/** Filter trees that ask for their documents, from the exact to the all-embracing. */
export const filtersFor = ({ target, chance }: Cast): unknown => {
  const mine = { key: 'endUserId', value: target.endUserId };
  const any = { key: 'kind', value: 'vault' };
  const tree = chance.pick([
    { AND: [mine] },
    { OR: [any, mine] },
    { AND: [any, { OR: [mine, { ...mine, negate: true }] }] },
    {
      AND: [
        { ...mine, filterType: 'string_contains', value: target.endUserId.slice(2, 9), ignoreCase: true },
      ],
    },
    { AND: [{ key: 'level', value: '4', filterType: 'numeric', numericOperator: '>' }] },
    { OR: [{ key: 'no such key', value: '%', negate: 'true' }] },
  ]);
  return chance.below(2) === 0 ? tree : JSON.stringify(tree);
};
