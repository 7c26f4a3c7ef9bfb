// Copies documents from a source under their customIds, and compares the copies with the source.

import { addDocument } from '../../../tools/documents/add.ts';
import { getDocument } from '../../../tools/documents/get.ts';
import { mapBounded } from '../../lib/async/bounded.ts';
import { messageOf } from '../../lib/failures.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Client } from '../connection/client.ts';
import { CommandFailure } from '../failure.ts';
import type { Listed, Source, Whole } from './source.ts';

const AT_ONCE = 4;

export interface Copied {
  /** The number of documents that the source reports. */
  found: number;
  added: number;
  /** Documents that exist here already with the same content. */
  already: number;
  /** Documents without content to send. */
  empty: string[];
  /** Documents that could not be added, each with the reason. */
  refused: string[];
}

export interface Compared {
  same: number;
  /** The customIds of documents that are missing here or have other content. */
  different: string[];
}

/** A stable id, so that an interrupted import continues and copies nothing twice. */
const customIdOf = ({ id, customId }: Listed): string => customId ?? `supermemory:${id}`;

const errorStatus = (error: unknown): unknown => {
  if (error instanceof CommandFailure) return error.facts.status;
  return error instanceof Error && 'status' in error ? error.status : undefined;
};

/** One that was deleted meanwhile, or at which the source fails again and again, must not keep all others back. */
const isFaultOfOne = (status: unknown): boolean =>
  typeof status === 'number' && (status === 404 || status >= 500);

/** Null: there is no such document, or several with this customId under different tags. */
const contentHere = async (client: Client, customId: string): Promise<string | null> => {
  try {
    return (await client.call(getDocument, { id: customId })).content;
  } catch (error) {
    const status = errorStatus(error);
    if (status === 404 || status === 400) return null;
    throw error;
  }
};

/** A title that another Memoir found in the content is found there again. */
const givenTitle = ({ title, raw }: Whole): { title?: string } =>
  title && (raw == null || raw.titleOrigin === 'given') ? { title } : {};

const copiedFields = (document: Whole, content: string, customId: string) => ({
  content,
  customId,
  metadata: document.metadata,
  ...(document.containerTags.length === 0 ? {} : { containerTags: document.containerTags }),
  ...givenTitle(document),
  ...(document.filepath ? { filepath: document.filepath } : {}),
  ...(document.taskType ? { taskType: document.taskType } : {}),
});

export interface DocumentCopy {
  all(progress: (done: number, total: number) => void): Promise<Copied>;
  compare(progress: (done: number, total: number) => void): Promise<Compared>;
}

export const createDocumentCopy = (source: Source, client: Client): DocumentCopy => {
  /** The hash of the source's content, by customId. */
  const digests = new Map<string, string>();
  const copied: Copied = { found: 0, added: 0, already: 0, empty: [], refused: [] };

  async function one(listed: Listed): Promise<void> {
    const customId = customIdOf(listed);
    const { content } = listed;
    if (!content) return void copied.empty.push(customId);
    digests.set(customId, sha256(content));
    if ((await contentHere(client, customId)) === content) {
      copied.already += 1;
      return;
    }
    const document = await source.document(listed.id).catch((error: unknown) => {
      const status = errorStatus(error);
      if (!isFaultOfOne(status)) throw error;
      copied.refused.push(`${customId}: the source does not give it (status ${status})`);
      return null;
    });
    if (document === null) return;
    try {
      await client.call(addDocument, copiedFields(document, content, customId));
      copied.added += 1;
    } catch (error) {
      copied.refused.push(`${customId}: ${messageOf(error)}`);
    }
  }

  return {
    async all(progress) {
      let done = 0;
      for await (const { memories, pagination } of source.pages()) {
        copied.found = pagination.totalItems;
        await mapBounded(memories, AT_ONCE, async (listed) => {
          await one(listed);
          done += 1;
          progress(done, pagination.totalItems);
        });
      }
      return copied;
    },
    async compare(progress) {
      const different: string[] = [];
      let done = 0;
      await mapBounded([...digests], AT_ONCE, async ([customId, digest]) => {
        const content = await contentHere(client, customId);
        if (content === null || sha256(content) !== digest) different.push(customId);
        done += 1;
        progress(done, digests.size);
      });
      return { same: digests.size - different.length, different: different.sort() };
    },
  };
};
