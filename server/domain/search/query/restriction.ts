// The restriction of a search: the fields of a request that narrow it inside the caller's scope.
import type { Condition, MetadataFilter, Restriction } from '../../../adapters/store/ports/filters.ts';

/** The restricting fields of both requests; container tags belong to the scope. */
export interface RestrictingFields {
  docId?: string | undefined;
  endUserId?: string | undefined;
  filepath?: string | undefined;
  filters?: MetadataFilter | undefined;
}

const endUserIs = (value: string): Condition => ({
  key: 'endUserId',
  value,
  filterType: 'metadata',
  numericOperator: '=',
  negate: false,
  ignoreCase: false,
});

const combinedFilter = ({ filters, endUserId }: RestrictingFields): MetadataFilter | undefined => {
  if (endUserId === undefined) return filters;
  const user = endUserIs(endUserId);
  return filters === undefined ? user : { AND: [filters, user] };
};

export const restrictionOf = (input: RestrictingFields): Restriction => {
  const filter = combinedFilter(input);
  return {
    ...(input.docId === undefined ? {} : { document: input.docId }),
    ...(input.filepath === undefined ? {} : { filepath: input.filepath }),
    ...(filter === undefined ? {} : { filter }),
  };
};

/** The restriction to memories; `forgotten`: forgotten and expired ones are included. */
export const restrictionToMemories = (restriction: Restriction, forgotten: boolean): Restriction => ({
  ...restriction,
  units: 'memories',
  ...(forgotten ? { forgotten } : {}),
});

/** One restricting field of a request by itself. */
export interface SingleRestriction {
  field: 'docId' | 'filepath' | 'endUserId' | 'filters';
  /** The metadata keys of a filter, without the values. */
  keys: readonly string[];
  restriction: Restriction;
}

/** The parts of a filter that all have to hold. */
const conjuncts = (filter: MetadataFilter): readonly MetadataFilter[] =>
  'AND' in filter ? filter.AND.flatMap(conjuncts) : [filter];

const filterKeys = (filter: MetadataFilter): string[] => {
  if ('AND' in filter) return filter.AND.flatMap(filterKeys);
  return 'OR' in filter ? filter.OR.flatMap(filterKeys) : [filter.key];
};

/** Each restricting field alone; a filter gives one restriction for each part that has to hold. */
export const singleRestrictions = (input: RestrictingFields): SingleRestriction[] => {
  const { docId, filepath, endUserId, filters } = input;
  const fields = { docId, filepath, endUserId } as const;
  const simple = (['docId', 'filepath', 'endUserId'] as const).flatMap((field): SingleRestriction[] => {
    const value = fields[field];
    return value === undefined ? [] : [{ field, keys: [], restriction: restrictionOf({ [field]: value }) }];
  });
  const parts = filters === undefined ? [] : conjuncts(filters);
  return [
    ...simple,
    ...parts.map(
      (filter): SingleRestriction => ({
        field: 'filters',
        keys: [...new Set(filterKeys(filter))],
        restriction: { filter },
      }),
    ),
  ];
};
