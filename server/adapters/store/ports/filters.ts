// Filters and restrictions: they narrow a list or a search inside the scope.

export interface Condition {
  key: string;
  value: string;
  filterType: 'metadata' | 'numeric' | 'array_contains' | 'string_contains';
  numericOperator: '=' | '>' | '<' | '>=' | '<=';
  negate: boolean;
  ignoreCase: boolean;
}

export type MetadataFilter =
  | Condition
  | { AND: readonly MetadataFilter[] }
  | { OR: readonly MetadataFilter[] };

/** The kind of unit that is searched. */
export type UnitKind = 'chunks' | 'memories';

/** Narrows a list or a search inside the scope. */
export interface Restriction {
  /** Default: chunks. */
  units?: UnitKind;
  /** Includes forgotten and expired memories. */
  forgotten?: boolean;
  /** Only documents with all of these tags (`operator: AND`); any-of is the scope's own rule. */
  allTags?: readonly string[];
  filter?: MetadataFilter;
  /** A document's id or customId. */
  document?: string;
  /** An exact path, or everything below it if it ends with "/". */
  filepath?: string;
  /** For chunks: only those without memories, because none were drawn from their document, or not yet. */
  unspoken?: boolean;
}
