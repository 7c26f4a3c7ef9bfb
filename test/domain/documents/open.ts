// Opens documents over a real store in a folder of its own, and changes them as a pipeline would.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDiskBlobs } from '../../../server/adapters/blobs/disk.ts';
import { openIngestSide } from '../../../server/adapters/store/ingest-side/sqlite-ingest-side.ts';
import type { Claim } from '../../../server/adapters/store/ports/ingestion/claims.ts';
import type { IngestStore } from '../../../server/adapters/store/ports/ingestion/ingest.ts';
import { openSqliteStore } from '../../../server/adapters/store/request-side/sqlite-store.ts';
import { openWritingSide } from '../../../server/adapters/store/writing-side/sqlite-writing-side.ts';
import { createDocuments, type Documents } from '../../../server/domain/documents/documents.ts';
import { recogniseKind } from '../../../server/domain/ingestion/content/recognise-kind.ts';
import { sha256 } from '../../../server/lib/hash.ts';
import { newId } from '../../../server/lib/ids.ts';
import { NO_OUTLINE } from '../../../server/lib/text/outline/draw-outline.ts';
import { directCall } from '../../../server/lib/threads/direct-call.ts';

export interface OpenDocuments extends AsyncDisposable {
  documents: Documents;
  ingest: IngestStore;
  /** Takes everything that is queued into hand. */
  claim(): Promise<Claim[]>;
  /** Processes everything that is queued, without chunks. */
  finish(): Promise<void>;
}

export const openDocuments = async (): Promise<OpenDocuments> => {
  const folder = await mkdtemp(join(tmpdir(), 'memoir-documents-'));
  const file = join(folder, 'memoir.db');
  let tick = Date.UTC(2026, 0, 1);
  const now = () => tick++;
  const writing = openWritingSide({ file, now, changed: () => {} });
  const { ingest, close } = openIngestSide({ file, now, call: directCall(writing.ingest) });
  const store = openSqliteStore({ file, call: directCall(writing.commands) });
  const claim = () => ingest.claim('boot', { documents: 1000, containers: 100 });
  return {
    documents: createDocuments({
      store,
      blobs: createDiskBlobs(join(folder, 'files')),
      memoriesOf: async () => new Map(),
      similarTo: async () => [],
      warn: () => undefined,
      newId,
      recogniseKind,
    }),
    ingest,
    claim,
    async finish() {
      const indexed = (await claim()).map((held) => {
        const content = held.submissions.at(-1)?.content ?? held.content;
        const decisions = held.submissions.map(({ n }) => ({ submission: n, decision: 'replaced' }));
        const contentHash = sha256(content);
        return {
          claim: held,
          content,
          contentHash,
          layout: null,
          title: held.title,
          outline: NO_OUTLINE,
          type: held.type,
          url: held.url,
          chunkSize: held.chunkSize,
          failure: null,
          decisions,
          added: [],
          kept: [],
          total: 0,
          removed: [],
        };
      });
      await ingest.commit(indexed, []);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      close();
      await writing.close();
      await rm(folder, { recursive: true });
    },
  };
};
