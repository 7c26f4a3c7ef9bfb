// The requirements of several processes on one database, each with its tests, the command that measures it, and what nobody has
// measured yet.
import type { Requirement } from '../support/requirements.ts';

export interface ScaleRequirement extends Requirement {
  /** The row of `npm run test:scale`. */
  readonly row?: string;
  /** The further arguments of `npm run` that measure it. */
  readonly command?: string;
  /** The part that no test and no measurement has shown, and what would show it. */
  readonly unseen?: string;
}

const STORE = 'test/adapters/store/postgres';
const SERVICE = 'test/service/postgres';
const SERVE = `${SERVICE}/serve.test.ts`;
const LOCKS = `${STORE}/locks.test.ts`;
const PROCESSES = `${SERVICE}/processes.test.ts`;
const RACES = `${SERVICE}/races.test.ts`;
const SILENT = `${SERVICE}/silent.test.ts`;
const REQUESTS = 'test/adapters/store/contract/requests.ts';
const SCOPED_READS = `${STORE}/requests.test.ts`;
const CLOUD = 'test/adapters/vectors/chroma/cloud.test.ts';
const TURNS = 'test/adapters/store/contract/turns.ts';
const BESIDE_SQLITE = 'bench -- --only n';

export const SCALE_REQUIREMENTS: Readonly<Record<string, ScaleRequirement>> = {
  'one suite': {
    holds:
      'The contract of the store, the attacks and the tests over REST, MCP and the SDK run on both databases from the same files, and no query names a database.',
    tests: [
      ['test/adapters/store/postgres.test.ts', 'describeOnPostgres('],
      ['test/layout/shape-rules.ts', 'the queries of the store are written for every database'],
    ],
    command: 'test:postgres -- test/isolation test/mcp test/sdk test/rest test/contract',
  },
  'embedded unchanged': {
    holds: 'The embedded database is as fast as before, and pg is not loaded there.',
    tests: [
      [`${SERVICE}/driver.test.ts`, 'a server with the embedded database loads no driver of PostgreSQL'],
    ],
    command: 'bench -- --against <checkout>',
  },
  'beside SQLite': {
    holds:
      'Durable adds at 16 are at least 0.6 times those of SQLite; a narrow search takes twice as long at most when it is warm, five times when it is cold.',
    tests: [
      [`${STORE}/vector-cache.test.ts`, 'vectors that did not change are not read again'],
      [`${STORE}/vector-cache.test.ts`, 'units that another process changed are read again, and no others'],
    ],
    command: BESIDE_SQLITE,
  },
  kills: {
    holds:
      'Whatever is killed, and when the database crashes, nothing that was acknowledged is lost, stored twice or stuck.',
    tests: [
      ['test/scale/judge.test.ts', 'a document %s is not good'],
      [PROCESSES, 'the documents of a worker that ended are read when its lease has ended'],
      [PROCESSES, 'the sync of a worker that was killed goes on in another one'],
    ],
    row: 'kills',
  },
  races: {
    holds: 'What one writer made safe stays so when several write: each decision has its lock and its test.',
    tests: [
      [LOCKS, 'two writes that wait for each other are both stored'],
      [RACES, 'writers to one customId, one new tag, one merge, one code and one setting'],
    ],
  },
  'a busy database': {
    holds:
      'A call for which the database has no turn in time is told so, and the database is not called down.',
    tests: [
      [`${SERVICE}/busy.test.ts`, 'is not called silent or down while writes wait for each other'],
      [`${SERVICE}/busy.test.ts`, 'for which no connection becomes free the same answer'],
      ['test/app/health.test.ts', 'a database that is busy is not down'],
    ],
  },
  silence: {
    holds:
      'While the network is silent no call waits for longer than five seconds, other processes go on, and all is well when packets arrive again.',
    tests: [
      [SILENT, 'calls get 503 while it lasts, another process goes on'],
      [`${STORE}/writer.test.ts`, 'tells PostgreSQL to end the locks of a process that the network cut off'],
      [`${STORE}/writer.test.ts`, 'lets others pass while it waits for long to be alone'],
      ['test/adapters/blobs/bucket.test.ts', 'behind a silent network refuses an upload while it lasts'],
      ['test/service/chroma.test.ts', 'a Chroma that hangs holds up one search and not the others'],
    ],
    row: 'silence',
  },
  'a database that stops': {
    holds:
      'A restart of the database ends no process. A standby that takes over refuses writes until it is promoted, and nothing acknowledged is lost.',
    tests: [
      [`${SERVICE}/away.test.ts`, 'calls get 503 with a time to come again'],
      [`${SERVICE}/failover.test.ts`, 'calls get 503 until it is promoted, then writes go on'],
      [`${STORE}/vector-cache.test.ts`, 'vectors are read again after the connections ended'],
    ],
  },
  'two versions': {
    holds:
      'Processes of two versions are refused with a sentence, whichever was there first, and a migration beside a living process changes nothing.',
    tests: [
      [SERVE, 'a worker beside an older process that answers'],
      [SERVE, 'a process that answers beside a newer worker'],
      [SERVE, 'a process that slept while another version took its place'],
      [SERVE, 'a migration is refused while another process works on the database'],
    ],
  },
  encryption: {
    holds:
      'Connections to the database and to the bucket are encrypted by the usual settings, and a certificate that is not trusted is refused with the remedy.',
    tests: [
      [`${SERVICE}/tls.test.ts`, 'every connection is encrypted'],
      [`${SERVICE}/tls.test.ts`, 'a certificate of another authority is refused'],
      ['test/service/bucket-tls.test.ts', 'an upload reaches a bucket whose authority is named'],
    ],
  },
  'a pooler': {
    holds: 'Everything works through PgBouncer in transaction mode with four connections.',
    tests: [[`${SERVICE}/round-robin.test.ts`, 'the published client, agents and the connect page work']],
  },
  'first starts': {
    holds: 'Eight starts at the same moment make one schema, one organisation and one key.',
    tests: [
      [PROCESSES, 'eight processes that start at once on an empty database'],
      [`${STORE}/migrate.test.ts`, 'run once when eight processes start at the same time'],
    ],
  },
  'the role of requests': {
    holds: 'A request reads no row of another scope by any statement; without a scope it sees nothing.',
    tests: [
      [REQUESTS, 'shows no row of another scope by any statement'],
      [REQUESTS, 'writes nothing, and leaves nothing behind'],
      [SCOPED_READS, 'sees the rows of its scope, and no others'],
      [SCOPED_READS, 'leaves no scope behind on its connection'],
      ['test/adapters/store/sqlite/connection.test.ts', 'a query that forgets the views fails'],
      ['test/isolation/isolation.test.ts', 'every operation is attacked'],
    ],
  },
  'shared state': {
    holds:
      'A limit of 100 requests lets 100 through over four processes, a disabled key is refused everywhere within a second, a code is used once.',
    tests: [
      [PROCESSES, 'a limit of 100 requests holds over four processes'],
      [PROCESSES, 'a disabled key is refused at once where it was disabled'],
      [RACES, 'one merge, one code and one setting'],
    ],
  },
  fairness: {
    holds:
      'A tag that floods the queue keeps the documents of a hundred others waiting for two seconds at most.',
    tests: [
      [TURNS, 'a large import does not delay the others'],
      [TURNS, 'every container has its turn, however many there are'],
      [TURNS, 'a key with documents under many tags does not delay another key'],
    ],
    row: 'fairness',
  },
  'wrong clocks': {
    holds: 'Clocks of processes may be wrong by an hour: the clock of the database decides.',
    tests: [[`${SERVICE}/skew.test.ts`, 'a document of a process that is an hour ahead']],
  },
  'open transactions': {
    holds:
      'A transaction that somebody leaves open holds up neither reading nor erasing, and the health names it.',
    tests: [
      [PROCESSES, 'a transaction that somebody leaves open holds up neither'],
      [`${STORE}/held-rows.test.ts`, 'one with an open transaction is named'],
    ],
    row: 'held',
  },
  'limits of Chroma Cloud': {
    holds:
      'At most eight calls of a collection are under way, 300 records a write, and refusals are waited for.',
    tests: [
      [CLOUD, 'eight queries of a collection are under way'],
      [CLOUD, 'writes hold at most 300 records'],
      [CLOUD, 'searches of several processes together are too many, wait, and are all answered'],
    ],
    unseen: 'The Cloud itself: it needs an account.',
  },
  'no shared disk': {
    holds:
      'An upload through one process is read by another one, downloaded through a third, and gone from the bucket once it is deleted.',
    tests: [[PROCESSES, 'an upload through one process is read by a worker']],
  },
  'several against one': {
    holds: 'Two processes that answer and two workers do at least 0.9 times the work of one for everything.',
    tests: [[LOCKS, 'two adds under the same tags count both, and neither waits']],
    command: BESIDE_SQLITE,
  },
};
