// Files of one namespace: uploaded as new documents, or in place of the content of a document.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { reference } from '../../../tools/documents/schemas/content.ts';
import { handOver, type ReceivedFile, receivedFile } from '../../../tools/documents/schemas/file.ts';
import { type UploadInput, uploadInput } from '../../../tools/documents/schemas/upload.ts';
import type { Caller } from '../../core/principal.ts';
import { documentRef, toDocumentRef } from './answers.ts';
import { changeContext } from './documents.ts';
import { contextFields, joinGroup, namespace, withDate } from './fields.ts';
import { insideNamespace } from './row.ts';

const parts = uploadInput.in.shape;

/** In a form, objects are JSON text. */
const described = {
  namespace,
  ...contextFields,
  metadata: parts.metadata,
  group: parts.metadata,
  fileType: z.enum(['text', 'pdf', 'image', 'video', 'audio']).optional(),
  mimeType: parts.mimeType,
};

const newFile = z.object({ ...described, file: receivedFile }).transform(joinGroup);
const replacement = z.object({ ...described, id: reference, file: receivedFile }).transform(joinGroup);
const change = z.object({ ...described, id: reference, file: receivedFile.optional() }).transform(joinGroup);

type SentFile = Omit<z.output<typeof newFile>, 'namespace'>;

/** Audio is recognised by its bytes, and so is every file whose type comes without the media type that it needs. */
const declared = ({ fileType, mimeType, file }: SentFile): Pick<UploadInput, 'fileType' | 'mimeType'> => {
  const known = mimeType ?? file.mimeType ?? undefined;
  const isUnclear = known === undefined && (fileType === 'image' || fileType === 'video');
  return { mimeType: known, fileType: fileType === 'audio' || isUnclear ? undefined : fileType };
};

const toUploadInput = (given: SentFile, place: Pick<UploadInput, 'tags' | 'customId'>): UploadInput => ({
  ...place,
  ...declared(given),
  file: handOver(given.file),
  metadata: withDate(given.metadata, given.date),
  filterByMetadata: given.filterByMetadata,
  entityContext: given.supportingContext,
  taskType: given.taskType,
  dreaming: given.dreaming,
});

export const uploadToNamespace = insideNamespace({
  name: 'namespaces.documents.uploadFile',
  summary: 'client.documents.upload_file',
  rest: { method: 'POST', path: '/ns/{namespace}/document/file', status: 200, fields: 'form' },
  permission: 'write',
  input: newFile,
  output: documentRef,
  adds: ({ file }) => ({ documents: 1, bytes: file.bytes }),
  run: async (service, { namespace: tag, ...given }, caller) =>
    toDocumentRef(
      service,
      caller,
      await service.documents.upload(caller, toUploadInput(given, { tags: [tag] })),
    ),
});

/** An upload finds the document whose content it replaces by its customId; one that has none gets its own id as such. */
const replaceContent = async (
  service: Service,
  caller: Caller,
  { id: ref, ...given }: SentFile & { id: string; file: ReceivedFile },
) => {
  const { id, customId, tags } = await service.documents.find(caller, ref);
  if (customId === null) await service.documents.update(caller, id, { id, customId: id, tags: undefined });
  const place = { customId: customId ?? id, tags };
  return toDocumentRef(service, caller, await service.documents.upload(caller, toUploadInput(given, place)));
};

export const replaceFileInNamespace = insideNamespace({
  name: 'namespaces.documents.replaceWithFile',
  summary: 'client.documents.replace_with_file',
  rest: { method: 'POST', path: '/ns/{namespace}/document/file/{id}', status: 200, fields: 'form' },
  permission: 'write',
  input: replacement,
  output: documentRef,
  run: (service, { namespace: _, ...given }, caller) => replaceContent(service, caller, given),
});

export const updateFileInNamespace = insideNamespace({
  name: 'namespaces.documents.updateFile',
  summary: 'client.documents.update_file',
  rest: { method: 'PATCH', path: '/ns/{namespace}/document/file/{id}', status: 200, fields: 'form' },
  permission: 'write',
  input: change,
  output: documentRef,
  async run(service, { namespace: tag, file, ...given }, caller) {
    if (file !== undefined) return replaceContent(service, caller, { ...given, file });
    const { id } = await service.documents.find(caller, given.id);
    const { supportingContext, date, taskType, filterByMetadata } = given;
    await changeContext(service, caller, { namespace: tag, supportingContext });
    const metadata = withDate(given.metadata, date);
    const patch = { id, metadata, taskType, filterByMetadata, tags: undefined };
    return toDocumentRef(service, caller, await service.documents.update(caller, id, patch));
  },
});
