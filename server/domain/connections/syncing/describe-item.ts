// The fields of the document of an item, from what its source shows of it.

import type { ReceivedBlob } from '../../../adapters/blobs/port.ts';
import type { Face, Seen, Taken } from '../../../adapters/connect/port.ts';
import type {
  ItemDescription,
  SeenItem,
  WantedItem,
} from '../../../adapters/store/ports/connections/connections.ts';
import type { Submission } from '../../../adapters/store/ports/documents.ts';
import type { Metadata } from '../../../adapters/store/ports/metadata.ts';
import { isoTime } from '../../../lib/text/dates/format.ts';
import { optionNames } from '../given-options.ts';
import type { RunContext } from './context.ts';

export const faceOf = (item: Pick<WantedItem, 'face'>): Face => item.face as unknown as Face;

/** For people; a title that reading the content tells is not known yet. */
export const nameOfItem = (item: Pick<WantedItem, 'face' | 'id'>): string => faceOf(item).title || item.id;

/** The keys that the source does not understand itself are for the documents. A key of the source wins. */
const documentMetadata = ({ run, opened }: RunContext, face: Face): Metadata => {
  const own = optionNames(opened.kind);
  const given = Object.entries(run.record.metadata).filter(([key]) => !own.includes(key));
  return {
    ...Object.fromEntries(given),
    ...face.metadata,
    ...(face.editedAt === undefined ? {} : { documentDate: isoTime(face.editedAt) }),
  };
};

/** Null: neither the source nor the folders of the ledger give the item a path. */
export const pathOfItem = async (
  { deps, run, rules }: RunContext,
  item: Pick<WantedItem, 'face' | 'parent'>,
): Promise<string | null> => {
  const face = faceOf(item);
  if (face.path !== undefined) return face.path;
  if (!rules.folders) return null;
  const above = item.parent === null ? '' : await deps.store.pathOf(run.connection, item.parent);
  return `${above}/${face.title.replaceAll('/', '_')}`;
};

export const describeItem = async (
  context: RunContext,
  item: WantedItem,
  face: Face,
): Promise<ItemDescription> => ({
  provider: context.run.record.provider,
  title: face.title === '' ? null : face.title,
  url: face.url ?? null,
  filepath: face.path ?? (await pathOfItem(context, item)),
  metadata: documentMetadata(context, face),
});

/** Types that say nothing about the content, whose bytes are looked at anyway. */
const VAGUE_TYPES = /^(?:application|binary)\/octet-stream$/;

const namedType = (mediaType: string | undefined): string | null =>
  mediaType === undefined || VAGUE_TYPES.test(mediaType) ? null : (mediaType.split(';')[0] ?? null);

const ENDINGS: Readonly<Record<string, string>> = { 'text/markdown': '.md', 'text/html': '.html' };

/** All content of a source is stored as a file: a note that is a lone address must not be fetched as a page. */
export const submissionOfItem = (
  { deps, run }: RunContext,
  {
    item,
    taken,
    blob,
    description,
  }: {
    item: WantedItem;
    taken: Extract<Taken, { content: 'file' | 'text' }>;
    blob: ReceivedBlob;
    description: ItemDescription;
  },
): Submission => {
  const type = { ...faceOf(item), ...taken.face }.type ?? null;
  const name =
    taken.content === 'file'
      ? taken.name
      : `${description.title ?? 'text'}${ENDINGS[taken.mediaType] ?? '.txt'}`;
  return {
    id: deps.newId(),
    customId: item.id,
    tags: item.tags ?? run.record.tags,
    defaultTags: [],
    content: '',
    hash: `file:${blob.sha256}`,
    type: type ?? 'text',
    heavy: true,
    replace: true,
    metadata: description.metadata,
    title: description.title,
    filepath: description.filepath,
    url: description.url,
    source: run.record.provider,
    taskType: 'memory',
    dreaming: null,
    entityContext: null,
    ...(run.record.createdBy === null ? {} : { sentBy: run.record.createdBy }),
    file: {
      ...{ key: blob.key, bytes: blob.bytes, sha256: blob.sha256, name },
      mimeType: namedType(taken.mediaType),
      fileType: type,
    },
  };
};

export const ledgerItem = (seen: Seen): SeenItem => ({
  id: seen.id,
  mark: seen.mark,
  face: { ...seen.face },
  how: seen.how ?? null,
  ...(seen.kind === 'folder' ? { kind: 'folder' as const } : {}),
  ...(seen.kind === 'gone' ? { gone: true } : {}),
  ...(seen.parent === undefined ? {} : { parent: seen.parent }),
  ...(seen.bytes === undefined ? {} : { bytes: seen.bytes }),
  ...(seen.tags === undefined ? {} : { tags: seen.tags }),
  ...(seen.skip === undefined ? {} : { skip: seen.skip }),
});
