// The tables that a move between databases copies, in order. A table that triggers of others write to comes after these
// others, so that the copy has the last word.
import type { UnitKind } from '../ports/filters.ts';
import { MOVE_KEY } from '../queries/organisation/move.ts';
import { MODEL_CHOICES } from '../queries/organisation/organisation.ts';

export type MovedRow = Readonly<Record<string, unknown>>;

export interface MovedTable {
  readonly name: string;
  /** The columns that name a row, in the order of an index of both databases. */
  readonly key: readonly string[];
  /** Its rows are in the keyword index. */
  readonly words?: UnitKind;
  /** The row as the next process finds it: leases end with the process that holds them. */
  readonly settled?: (row: MovedRow) => MovedRow;
  /** Rows of the database itself, which are not copied. */
  readonly own?: (row: MovedRow) => boolean;
}

const table = (name: string, ...key: readonly string[]): MovedTable => ({ name, key });

const withoutLease = (row: MovedRow): MovedRow => ({ ...row, lease: null, lease_until: 0 });

const settledDocument = (row: MovedRow): MovedRow => ({
  ...row,
  step: row.lease === null ? row.step : 'queued',
  lease: null,
  lease_boot: null,
  memory_lease: null,
});

export const MOVED_TABLES: readonly MovedTable[] = [
  // The choices of models go along in the folder of models.
  { ...table('meta', 'key'), own: ({ key }) => key === MOVE_KEY || key === MODEL_CHOICES },
  table('settings', 'key'),
  table('keys', 'id'),
  table('grants', 'id'),
  table('oauth_tokens', 'kind', 'hash'),
  table('key_tokens', 'key', 'day'),
  table('tag_tokens', 'tag', 'day'),
  table('members', 'id'),
  table('invites', 'id'),
  table('sessions', 'id'),
  { ...table('mails', 'id'), settled: withoutLease },
  table('mail_contents', 'mail'),
  table('key_notices', 'key', 'threshold_days', 'expires_at'),
  table('quotas', 'holder', 'subject', 'quota'),
  // Rows of the audit log may be removed only up to the number in its head.
  table('audit_head', 'id'),
  table('audit', 'n'),
  table('usage_calls', 'span', 'start', 'key', 'operation', 'way', 'status'),
  table('usage_tags', 'span', 'start', 'tag', 'type'),
  table('requests', 'n'),
  table('request_units', 'unit', 'request'),
  { ...table('connections', 'id'), settled: withoutLease },
  table('connection_secrets', 'connection'),
  table('connection_items', 'connection', 'id'),
  table('connection_hooks', 'token_hash'),
  { ...table('connection_farewells', 'id'), settled: (row) => ({ ...row, lease: null }) },
  table('connection_states', 'hash'),
  table('hook_deliveries', 'provider', 'delivery'),
  table('sync_runs', 'id'),
  table('merges', 'n'),
  table('containers', 'n'),
  table('container_tags', 'tag', 'container'),
  { ...table('documents', 'n'), settled: settledDocument },
  table('documents_hidden', 'doc'),
  table('submissions', 'n'),
  table('document_meta', 'doc', 'key', 'container', 'type', 'folded'),
  table('files', 'key'),
  { ...table('chunks', 'n'), words: 'chunks' },
  { ...table('memories', 'n'), words: 'memories' },
  table('memory_sources', 'memory', 'doc', 'chunk'),
  table('memory_relations', 'memory', 'other'),
  table('memories_arrived', 'memory'),
  // An index of the new database is filled anew.
  { ...table('spaces', 'id'), settled: (row) => ({ ...row, index_from: 0, indexed: 0 }) },
  table('exact_vectors', 'space', 'n'),
  table('thread_places', 'doc'),
  table('documents_unspoken', 'doc'),
  table('tags', 'n'),
];

/** Triggers write to them while the tables before them are copied. */
export const FOLLOWING_TABLES: ReadonlySet<string> = new Set(['thread_places', 'documents_unspoken', 'tags']);

/** Vectors are copied for each space, because each database stores them in its own form. */
export const VECTORS = 'vectors';

/** Derived from the other tables, or of the processes of one database: the next start writes them. */
export const TABLES_LEFT: ReadonlySet<string> = new Set([
  ...['migrations', 'vector_blocks', 'vector_rows', 'vector_outbox', 'chunk_words', 'memory_words'],
  ...['unit_numbers', 'vector_changes', 'passage_changes', 'indexed_containers'],
  ...['processes', 'boots', 'duties', 'rate_counts', 'served', 'write_receipts'],
]);
