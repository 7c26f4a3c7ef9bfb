// Copies documents from a source under their customIds, and compares the copies with the source.

import { addDocument } from '../../../tools/documents/add.ts';
import { documentsByIds } from '../../../tools/documents/by-ids.ts';
import { getDocument } from '../../../tools/documents/get.ts';
import { reference } from '../../../tools/documents/schemas/content.ts';
import { mapBounded } from '../../lib/async/bounded.ts';
import { messageOf } from '../../lib/failures.ts';
import { sha256 } from '../../lib/hash.ts';
import type { Client } from '../connection/client.ts';
import { CommandFailure } from '../failure.ts';
import { type Listed, NoAnswer, type Source, UnknownForm, type Whole } from './source.ts';

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

/** The same customId may stand for another document under other tags. */
interface Copy {
  readonly customId: string;
  readonly tags: Tags;
  /** The hash of the source's content. */
  readonly digest: string;
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

type Tags = readonly string[];
type Here = Awaited<ReturnType<typeof documentHere>>;

/** Null: there is no such document. */
const documentHere = async (client: Client, id: string) => {
  try {
    return await client.call(getDocument, { id });
  } catch (error) {
    if (errorStatus(error) === 404) return null;
    throw error;
  }
};

/** The documents with this customId: one for each set of container tags. */
const documentsHere = async (client: Client, customId: string): Promise<Here[]> => {
  // It cannot be here, and adding it says why.
  if (!reference.safeParse(customId).success) return [];
  try {
    return [await documentHere(client, customId)];
  } catch (error) {
    // Several have it.
    if (errorStatus(error) !== 400) throw error;
    const { documents } = await client.call(documentsByIds, { ids: [customId], by: 'customId' });
    return Promise.all(documents.map(({ id }) => documentHere(client, id)));
  }
};

/** A source that names no tags leaves the choice to Memoir. */
const isUnder = (tags: Tags, here: Tags): boolean =>
  tags.length === 0 || (new Set(tags).size === here.length && here.every((tag) => tags.includes(tag)));

/** Null: there is no document with this customId under these tags. */
const contentHere = async (client: Client, { customId, tags }: Copy): Promise<string | null> => {
  const found = await documentsHere(client, customId);
  return found.find((here) => here !== null && isUnder(tags, here.containerTags))?.content ?? null;
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

/** Null: the source does not give it. `refused` learns the reason. */
const givenBySource = async (
  source: Source,
  { id }: Listed,
  refused: (reason: string) => void,
): Promise<Whole | null> => {
  try {
    return await source.document(id);
  } catch (error) {
    const status = errorStatus(error);
    if (error instanceof CommandFailure && error.cause instanceof UnknownForm) {
      refused(error.cause.message);
      return null;
    }
    if (error instanceof CommandFailure && error.cause instanceof NoAnswer && (await source.answers())) {
      refused(`the source gives others, and breaks off at this one (${error.cause.message})`);
      return null;
    }
    if (!isFaultOfOne(status)) throw error;
    refused(`the source does not give it (status ${status})`);
    return null;
  }
};

/** True for each name once: a page may be read again, and may list a document that another page has listed. */
const createFirstSight = (): ((name: string) => boolean) => {
  const seen = new Set<string>();
  return (name) => {
    const isFirst = !seen.has(name);
    seen.add(name);
    return isFirst;
  };
};

export interface DocumentCopy {
  all(progress: (done: number, total: number) => void): Promise<Copied>;
  compare(progress: (done: number, total: number) => void): Promise<Compared>;
}

export const createDocumentCopy = (source: Source, client: Client): DocumentCopy => {
  const copies: Copy[] = [];
  const copied: Copied = { found: 0, added: 0, already: 0, empty: [], refused: [] };

  async function one(listed: Listed): Promise<void> {
    const customId = customIdOf(listed);
    const { content } = listed;
    if (!content) return void copied.empty.push(customId);
    // The list of a source may leave tags out.
    const document = await givenBySource(source, listed, (reason) =>
      copied.refused.push(`${customId}: ${reason}`),
    );
    if (document === null) return;
    const copy = { customId, tags: document.containerTags, digest: sha256(content) };
    if ((await contentHere(client, copy)) === content) {
      copied.already += 1;
      copies.push(copy);
      return;
    }
    try {
      await client.call(addDocument, copiedFields(document, content, customId));
      copied.added += 1;
      copies.push(copy);
    } catch (error) {
      copied.refused.push(`${customId}: ${messageOf(error)}`);
    }
  }

  return {
    async all(progress) {
      const isNew = createFirstSight();
      let done = 0;
      for await (const { documents, unreadable, total } of source.pages()) {
        copied.found = total;
        for (const { name, reason } of unreadable)
          if (isNew(name)) copied.refused.push(`${name}: the source lists it in an unknown form: ${reason}`);
        const unread = documents.filter(({ id }) => isNew(id));
        await mapBounded(unread, AT_ONCE, async (listed) => {
          await one(listed);
          done += 1;
          progress(done, total);
        });
      }
      return copied;
    },
    async compare(progress) {
      const different: string[] = [];
      let done = 0;
      await mapBounded(copies, AT_ONCE, async (copy) => {
        const content = await contentHere(client, copy);
        if (content === null || sha256(content) !== copy.digest) different.push(copy.customId);
        done += 1;
        progress(done, copies.length);
      });
      return { same: copies.length - different.length, different: different.sort() };
    },
  };
};
