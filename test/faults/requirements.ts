// The requirements of availability between tenants, of rights and of faults, each with its tests, and with the command that measures it.
import type { MeasuredRequirement } from '../support/requirements.ts';

const JOB_POOL = 'test/lib/threads/job-pool.test.ts';
const READER = 'test/adapters/store/request-side/reader.test.ts';
const FILTERS = 'test/rest/filters.test.ts';
const DEADLINE = 'test/rest/query-deadline.test.ts';
const READING_TURNS = 'test/domain/memories/reading-turns.test.ts';
const WRITER = 'test/adapters/store/sqlite/writer.test.ts';
const BODIES = 'test/http/bodies/held.test.ts';
const BODY_BUDGET = 'test/http/bodies/budget.test.ts';
const PLACES = 'test/domain/search/places.test.ts';
const BOMBS = 'test/adapters/extract/bombs.test.ts';
const UPLOAD_BOMBS = 'test/rest/upload-bombs.test.ts';
const READING_SLOTS = 'test/adapters/extract/process/job-queue.test.ts';
const EXTRACTOR = 'test/adapters/extract/extractor.test.ts';
const PDF = 'test/adapters/extract/kinds/pdf.test.ts';
const HEALTH = 'test/app/health.test.ts';
const MADE_KEYS = 'test/domain/access/made-keys.test.ts';
const PLUGINS = 'test/http/oauth/plugins.test.ts';
const FOLDER = 'test/app/data-folder.test.ts';
const OPEN_ROUTES = 'test/http/open-routes.test.ts';
const BODY = 'test/http/body.test.ts';
const ISOLATION = 'test/isolation/isolation.test.ts';
const REFUSAL_READS = 'test/isolation/refusal-reads.test.ts';
const CONTROLS = 'test/rest/control-characters.test.ts';
const EMBEDDER = 'test/service/embedder.test.ts';
const RETRY = 'test/rest/documents-retry.test.ts';
const PURGE = 'test/adapters/store/contract/purge.ts';
const COMPACT = 'test/adapters/store/sqlite/compact.test.ts';
const FULL_DISK = 'test/service/full-disk.test.ts';
const CLOCK = 'test/domain/ingestion/clock-watch.test.ts';
const CHROMA = 'test/service/chroma.test.ts';
const MIGRATE = 'test/adapters/store/sqlite/migrate.test.ts';
const OLD_SCHEMAS = 'test/adapters/store/sqlite/old-schemas.test.ts';
const OTHERS_AT_THEIR_WORST = 'bench -- --only k';

const AVAILABILITY: Readonly<Record<string, MeasuredRequirement>> = {
  'filters in workers': {
    holds: 'Filtered and long reads run in query workers, and each condition is evaluated once in a call.',
    tests: [
      [READER, 'what is read with a filter is read on a query worker'],
      [READER, 'a short list is read on this thread, a long or filtered one on a query worker'],
      [READER, 'a filter is evaluated once in a call, on a query worker, and each condition in it once'],
    ],
    command: OTHERS_AT_THEIR_WORST,
  },
  'searches on every core': {
    holds:
      'Searches of one moment, and those with a filter, run whole on query workers with the same results.',
    tests: [
      [PLACES, 'searches of one moment run on other threads'],
      [PLACES, 'a search with a filter runs on another thread, alone as well'],
      [PLACES, 'nobody waits until other threads have started, except for a filter'],
      ['test/app/query-worker/searches.test.ts', 'a search of /v4 %s finds the same'],
      ['test/adapters/store/contract/search.ts', 'what a search has read is read again after each write'],
    ],
    command: 'bench -- --against <checkout>',
  },
  'filters end': {
    holds: 'A query ends after 2 s with a 503 that advises a retry, and when its client leaves.',
    tests: [
      [DEADLINE, 'a call whose filter takes too long is ended with 503'],
      ['test/config/groups.test.ts', 'without any setting everything has its default'],
      [JOB_POOL, 'a job that runs beyond the budget is ended with its thread'],
      [JOB_POOL, 'a job that stops when it is told to leaves its thread to the next one'],
      [JOB_POOL, 'all jobs of one call share the budget'],
      [JOB_POOL, 'a caller who leaves is answered at once'],
      ['test/domain/access/scope.test.ts', 'and when its client leaves'],
    ],
  },
  'filters in turns': {
    holds: 'A key has one slot while others wait.',
    tests: [
      [JOB_POOL, 'a principal never takes the last free thread while it has another'],
      [JOB_POOL, 'two principals who wait for one thread get it in turns'],
    ],
  },
  'filters are bounded': {
    holds:
      'A filter has 20 conditions that look into texts, needles of 256 characters and 200 conditions at most.',
    tests: [
      [FILTERS, 'filters:contains:limits'],
      [FILTERS, 'filters:tree:limits'],
    ],
  },
  'reading in slices': {
    holds:
      'The writer thread commits alone; another thread reads, in slices, by turns and with a budget of processor time.',
    tests: [
      [READING_TURNS, 'a long document does not hold up a short one under another tag'],
      [READING_TURNS, 'a document that costs more processor time than its budget keeps its passages'],
      [READING_TURNS, 'reading looks up after every sentence'],
      ['test/lib/async/steps.test.ts', 'other work of the thread runs after each slice'],
      [
        'test/app/ingest-link.test.ts',
        'a statement that is asked for before the thread runs is read when it runs',
      ],
    ],
    command: OTHERS_AT_THEIR_WORST,
  },
  'changes of keys first': {
    holds: 'A change of a key or a grant waits behind no ingestion.',
    tests: [
      [WRITER, 'a change of a key goes ahead of requests and ingestion that waited longer'],
      [WRITER, 'a change of a key waits for one transaction at most'],
      [WRITER, 'a transaction takes no further request after ten milliseconds of work'],
    ],
    command: OTHERS_AT_THEIR_WORST,
  },
  'bodies are bounded': {
    holds:
      'Bodies have one budget for all and one for each key, and a minimum rate; their memory comes back.',
    tests: [
      [BODIES, 'bodies:memory:key'],
      [BODIES, 'bodies:memory:all'],
      [BODIES, 'auth:order:right-before-body'],
      [BODIES, 'bodies:rate:minimum'],
      [BODY_BUDGET, 'a body that does not fit is refused after a wait, and holds nothing'],
      [BODY_BUDGET, 'the refusals of one key keep a distance, those of another do not wait for them'],
      ['test/http/drain.test.ts', 'all refused bodies together are read at 16 MiB a second'],
      ['test/lib/threads/return-memory.test.ts', 'an idle thread returns its garbage to the system'],
    ],
    command: 'test:soak',
  },
  'files declare truly': {
    holds:
      'Declared sizes, tokens, references and sums are compared with limits before anything is unpacked.',
    tests: [
      [UPLOAD_BOMBS, 'content:declared:checked'],
      [BOMBS, 'bounds the data of a PNG that are unpacked'],
      [BOMBS, 'a single token of an XML file'],
      [BOMBS, 'is bounded for the links of a page that a base completes'],
      [BOMBS, 'is looked at in a PDF before a page is rendered'],
      [BOMBS, 'is bounded for the shared texts of a spreadsheet'],
    ],
    command: OTHERS_AT_THEIR_WORST,
  },
  'files in turns': {
    holds:
      'Slots for reading go to tags in turns, with a budget for each key; keys and health show who is slowed.',
    tests: [
      [READING_SLOTS, 'lets tags take turns, however many jobs one of them has'],
      [READING_SLOTS, 'waits while others wait, and is never left behind for good'],
      ['test/domain/access/slowed-keys.test.ts', 'the list of keys says which are slowed'],
      [HEALTH, 'the queue names the keys whose files are read behind those of others'],
    ],
  },
  'files end': {
    holds:
      'A job that ran out of time is not tried again, small files end sooner, and OCR has budgets of its own.',
    tests: [
      [EXTRACTOR, 'is stopped at the time limit and not tried again'],
      [EXTRACTOR, 'has a shorter time limit when its content is small'],
      [PDF, 'keeps its other pages when one takes longer than a page may'],
      [PDF, 'has a note on the pages that were not recognised within the time limit'],
      ['test/adapters/extract/kinds/image.test.ts', 'fails when its text takes longer to recognise'],
    ],
  },
};

const RIGHTS: Readonly<Record<string, MeasuredRequirement>> = {
  'made keys': {
    holds:
      'A key, a plugin key and a grant never exceed what made them in rights, tags, rate or time, and end with it.',
    tests: [
      [MADE_KEYS, 'expires with it at the latest'],
      [MADE_KEYS, 'reaches no tag and no permission that it lacks'],
      [MADE_KEYS, 'shares its rate with it and with all that it made'],
      [MADE_KEYS, 'ends at once when the key is disabled'],
      [MADE_KEYS, 'ends with the maker of the key that gave it'],
    ],
  },
  'plugin keys': {
    holds: 'A plugin key manages nothing; its session, its tags and settings without secrets stay open.',
    tests: [
      [PLUGINS, 'manages nothing though it has everything and write'],
      [PLUGINS, 'reads its session, its tags and the settings without secrets'],
      [PLUGINS, 'ends with the key that was pasted'],
    ],
  },
  'private folder': {
    holds: 'The files of the data folder are for their owner alone, and an open folder is named.',
    tests: [
      [FOLDER, 'what an earlier release left open in a folder that existed is closed'],
      [FOLDER, 'what is created in a folder that existed is for its owner alone'],
    ],
  },
  'headers of proxies': {
    holds: 'Forwarded headers are believed of trusted proxies alone, and Host is a name and a port.',
    tests: [
      ['test/http/keys.test.ts', 'proxy:forwarded:trusted'],
      ['test/http/hosts.test.ts', 'is the one that a trusted proxy names, if it is http or https'],
      ['test/http/hosts.test.ts', 'proxy:host:form'],
    ],
  },
  'tickets once': {
    holds: 'A ticket of consent works once.',
    tests: [
      ['test/http/oauth/ticket.test.ts', 'a ticket works once'],
      [PLUGINS, 'auth:plugins:ticket-once'],
    ],
  },
  'health for keys': {
    holds: 'Health tells its parts to a key that sees everything, and status and version to others.',
    tests: [
      [OPEN_ROUTES, 'health:parts:state'],
      [OPEN_ROUTES, 'health:parts:key'],
    ],
  },
  'reader without rights': {
    holds: 'The process that reads content has no network, no program and no file but its own.',
    tests: [
      [
        'test/adapters/extract/process/permissions.test.ts',
        'reads its content and writes its results, and has no other file, program or network',
      ],
      [
        'test/adapters/extract/process/permissions.test.ts',
        'are moved out of the reach of the next job, by their names alone',
      ],
    ],
  },
  'links end': {
    holds: 'A link to a file ends with the key that asked for it.',
    tests: [['test/rest/original.test.ts', 'upload:link:ends-with-key']],
  },
  'guessable keys': {
    holds: 'A given key that is easy to guess is refused.',
    tests: [
      ['test/domain/access/access-keys.test.ts', 'keys:given:guessable'],
      ['test/lib/secrets/secret-strength.test.ts', 'random texts keep most of their bits'],
    ],
  },
  'exact JSON': {
    holds: 'A metadata key __proto__ and an integer that would be rounded get 400.',
    tests: [
      [BODY, 'bodies:json:exact'],
      ['test/tools/exact-json.test.ts', 'is described by what to do'],
    ],
  },
  'attacks by every principal': {
    holds:
      'Every operation is attacked by every kind of principal; totals, counts, health and refusals tell nothing of others.',
    tests: [
      [ISOLATION, 'no principal of one tag reaches anything of another'],
      [ISOLATION, 'every operation is attacked'],
      [ISOLATION, 'documents of others change no total, count or score'],
      [REFUSAL_READS, 'isolation:refusal:same-path'],
      ['test/isolation/agents.test.ts', 'agents with keys of one tag reach nothing of another'],
    ],
  },
};

const FAULTS: Readonly<Record<string, MeasuredRequirement>> = {
  'control characters': {
    holds:
      'A text with control characters is stored without them, also as one of many turns, and nothing is dropped.',
    tests: [
      [CONTROLS, 'is stored without them, and everything else of it is kept and found'],
      [CONTROLS, 'is a turn like any other, also among turns that are sent at once'],
      [CONTROLS, 'a log with single NULs is read as text'],
      ['test/rest/resend-states.test.ts', 'does not spoil what was sent before and after'],
    ],
  },
  'faults of providers': {
    holds:
      'Documents wait for a provider at fault, and go on when it is well again, at a start or when asked.',
    tests: [
      [EMBEDDER, 'processing:provider:waits'],
      [EMBEDDER, 'processing:provider:refused-text'],
      [EMBEDDER, 'processing:provider:asked-again'],
      [RETRY, 'documents:retry:failed'],
      [RETRY, 'documents:retry:filter'],
      ['test/cli/usage.test.ts', "['retry']"],
      [HEALTH, 'documents that wait for the embedder degrade the queue'],
      ['test/lib/async/retry.test.ts', 'not less than its own and not more than the longest'],
    ],
  },
  'providers that hang': {
    holds: 'A provider that hangs is waited for by one search, and holds up no other document.',
    tests: [
      [EMBEDDER, 'search:embedder:hangs'],
      [EMBEDDER, 'that hangs for one request does not keep the documents after it waiting'],
    ],
  },
  'replaced text goes': {
    holds: 'A decided submission keeps no content, also in older folders, and no byte of it stays in a file.',
    tests: [
      [PURGE, 'leaves no byte of a replaced text in any file after scrubbing'],
      [PURGE, 'leaves no byte of a deleted text in any file after scrubbing'],
      [
        'test/adapters/store/sqlite/formerly-kept.test.ts',
        'what an earlier release kept of decided submissions is erased in slices',
      ],
    ],
  },
  'space is given back': {
    holds: 'New folders give pages back by themselves, older ones by compaction, while callers go on.',
    tests: [
      [COMPACT, 'a new folder gives its free pages back when erased text is scrubbed'],
      [COMPACT, 'an older folder keeps its size until it is compacted'],
      ['test/rest/storage.test.ts', 'storage:compact:progress'],
      ['test/rest/documents-delete.test.ts', 'documents:delete:erased'],
    ],
  },
  'full and damaged disks': {
    holds:
      'A full disk, a damaged database and an unusable folder are told with the remedy, and nothing is touched.',
    tests: [
      [FULL_DISK, 'storage:full:told'],
      [FULL_DISK, 'storage:damaged:told'],
      ['test/app/check-database.test.ts', 'is refused with path and remedy, and nothing is changed:'],
    ],
  },
  'true states': {
    holds:
      'An update answers the true status, and a title that is sent again while a document is in work is kept.',
    tests: [['test/rest/processing.test.ts', 'resend:title:in-work']],
  },
  'clocks set back': {
    holds: 'A clock that is set back stops nothing that waits.',
    tests: [
      [CLOCK, 'stops no document that waits while the server runs'],
      [CLOCK, 'stops no document that waits over a restart'],
    ],
  },
  'Chroma at fault': {
    holds:
      'A Chroma without its folder, or one that hangs, is told by health and filled again without a restart.',
    tests: [
      [
        'test/adapters/vectors/chroma/supervisor.test.ts',
        'starts again, empty, when its folder is deleted while it runs',
      ],
      [CHROMA, 'a Chroma that hangs holds up one search and not the others'],
      [HEALTH, 'a Chroma that missed a heartbeat degrades the report'],
      [HEALTH, 'vectors of a space that nothing fills are not on their way to Chroma'],
    ],
  },
  'servers that hang': {
    holds:
      'A first start with a silent embedder, and a command against a hanging server, end with a sentence.',
    tests: [
      [EMBEDDER, 'that refuses at the first start is named with what to do'],
      ['test/service/start-stop.test.ts', 'though an embedding service hangs'],
      ['test/cli/silence.test.ts', 'a call to a server that answers nothing ends with a sentence'],
    ],
  },
  'always one latest': {
    holds: 'Deleting the document of the latest version leaves a latest one at every moment.',
    tests: [
      ['test/rest/documents-memories.test.ts', 'documents:delete:earlier-version'],
      [
        'test/adapters/store/contract/versions.ts',
        'that a deletion has hidden are not the latest while they wait to be erased',
      ],
      [
        'test/adapters/store/contract/drawn.ts',
        'make the previous version the latest again when the latest is erased',
      ],
    ],
  },
  migrations: {
    holds: 'Migrations are named, a failed one shows its cause, and a folder of every schema opens.',
    tests: [
      [MIGRATE, 'a migration that fails changes nothing, and the error names it with its cause and a remedy'],
      [OLD_SCHEMAS, 'every schema before the newest has a database'],
    ],
  },
  'planted faults': {
    holds:
      'The last word in the outbox, the fence of remembering and the fsync of uploads are tested; planted faults are found.',
    tests: [
      [
        'test/domain/ingestion/indexing/indexer.test.ts',
        'the last word about a number counts, whichever came first',
      ],
      ['test/adapters/store/contract/drawn.ts', 'gets none from a claim of an earlier start'],
      [
        'test/adapters/blobs/durable.test.ts',
        'a received file, its folder and a new folder are synchronised',
      ],
    ],
    command: 'test:mutation',
  },
  'kills and hours': {
    holds:
      'No acknowledged call is lost by a kill, and an hour of load leaves memory, handles and files flat.',
    tests: [
      ['test/crash.test.ts', 'processing:done:retrievable'],
      ['test/soak/samples.test.ts', 'fails where the memory grows by a megabyte a minute'],
    ],
    command: 'test:crash -- --rounds 1000',
  },
};

export const REQUIREMENTS: Readonly<Record<string, MeasuredRequirement>> = {
  ...AVAILABILITY,
  ...RIGHTS,
  ...FAULTS,
};
