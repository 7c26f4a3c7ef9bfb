// Triggers that count what changes under the reads that searches keep in memory: stored passages with what is shown of their
// documents, for each tag, and blocks of vectors, for each container. New passages change none that was read before.
import { CONTAINER_SPAN } from '../../../../core/chunks/chunk-number.ts';
import { SLOTS } from '../../../../lib/vectors/code.ts';

const touchPassages = (container: string) => `
  insert into passage_changes (tag, changes)
    select tag, 1 from container_tags where container_tags.container = ${container}
    on conflict (tag) do update set changes = changes + 1;`;

const ofDocument = (doc: string) => `(select container from documents where documents.n = ${doc})`;

const BLOCKS = CONTAINER_SPAN / SLOTS;

const touchVectors = (row: 'new' | 'old') => `
  insert into vector_changes (space, container, changes) values (${row}.space, ${row}.block / ${BLOCKS}, 1)
    on conflict (space, container) do update set changes = changes + 1;`;

/** Read by searches. The first chunks of a document come before its row is changed. */
const SHOWN =
  'id, title, title_given, shown_title, summary, type, task_type, filepath, metadata, chunks, created_at';

export const keptReads = `
create table passage_changes (tag integer primary key, changes integer not null) strict;

create trigger passage_changed after update of id, doc, content, position, part, title, speaker, role, date, flags,
  metadata, created_at on chunks begin ${touchPassages(ofDocument('new.doc'))} end;
create trigger passage_erased after delete on chunks begin ${touchPassages(ofDocument('old.doc'))} end;
create trigger document_of_passages_changed
  after update of container, deleted, updated_at, ${SHOWN} on documents
  when old.chunks > 0 or old.indexed_revision > 0
  begin ${touchPassages('old.container')} ${touchPassages('new.container')} end;

create table vector_changes (
  space integer not null, container integer not null, changes integer not null, primary key (space, container)
) strict, without rowid;

create trigger vectors_added after insert on vector_blocks begin ${touchVectors('new')} end;
create trigger vectors_changed after update on vector_blocks begin ${touchVectors('new')} end;
create trigger vectors_erased after delete on vector_blocks begin ${touchVectors('old')} end;
`;
