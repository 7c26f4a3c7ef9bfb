// The areas in which faults are planted, and the tests that look at each from further away.
export interface Area {
  readonly name: string;
  /** Folders and files of the source. */
  readonly places: readonly string[];
  /** The test that holds most of the store's part of the area, beside the nearest ones of a file. */
  readonly contract?: string;
  /** Folders and files of the tests that run when the nearest ones noticed nothing, in this order. */
  readonly wider: readonly string[];
}

const STORE_CONTRACT = 'test/adapters/store/sqlite.test.ts';

export const areas: readonly Area[] = [
  {
    name: 'ingestion',
    places: ['server/domain/ingestion/'],
    wider: [
      'test/domain/ingestion/',
      'test/rest/resend',
      'test/rest/conversation',
      'test/rest/documents-',
      'test/rest/processing.test.ts',
      'test/rest/content.test.ts',
      'test/rest/facts.test.ts',
      'test/rest/files.test.ts',
      'test/rest/addresses.test.ts',
      'test/rest/chunk-size.test.ts',
      'test/service/',
    ],
  },
  {
    name: 'store',
    places: [
      'server/adapters/store/queries/',
      'server/adapters/store/sqlite/',
      'server/adapters/store/statements/',
      'server/adapters/store/writing-side/',
    ],
    contract: STORE_CONTRACT,
    wider: [
      'test/adapters/store/',
      'test/memories/',
      'test/rest/merge.test.ts',
      'test/rest/memories',
      'test/rest/documents-',
      'test/rest/resend',
      'test/rest/versions.test.ts',
      'test/rest/conversation-threads.test.ts',
      'test/rest/container-tags.test.ts',
      'test/rest/dreaming.test.ts',
      'test/rest/facts.test.ts',
      'test/rest/filter',
      'test/http/oauth/',
      'test/isolation/',
      'test/service/',
    ],
  },
  {
    name: 'access',
    places: [
      'server/domain/access/',
      'server/calls/',
      'server/core/scope.ts',
      'server/core/principal.ts',
      'server/core/refusals.ts',
      'server/adapters/store/queries/access/',
      'server/adapters/store/statements/scoped-views.ts',
      'server/http/request.ts',
    ],
    contract: STORE_CONTRACT,
    wider: [
      'test/domain/access/',
      'test/calls/',
      'test/rest/keys',
      'test/rest/quotas.test.ts',
      'test/rest/rates.test.ts',
      'test/rest/session.test.ts',
      'test/rest/team.test.ts',
      'test/rest/errors.test.ts',
      'test/http/',
      'test/isolation/',
    ],
  },
  {
    name: 'search',
    places: ['server/domain/search/'],
    wider: ['test/domain/search/', 'test/rest/search', 'test/rest/filter', 'test/rest/recall-loop.test.ts'],
  },
];

export const isIn =
  (places: readonly string[]) =>
  (path: string): boolean =>
    places.some((place) => path.startsWith(place));
