// Lists of one namespace: its documents, chunks or memories.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { listInput } from '../../../tools/documents/schemas/inputs.ts';
import { listMemoriesInput } from '../../../tools/memories/schemas/inputs.ts';
import { pagination } from '../../../tools/memories/schemas/paging.ts';
import { badRequest } from '../../core/errors.ts';
import type { Caller } from '../../core/principal.ts';
import { defined } from '../../lib/defined.ts';
import { chunkAnswer, listedDocumentAnswer, memoryAnswer, toChunkAnswer, toMemoryAnswer } from './answers.ts';
import { liveMemoriesOf } from './documents.ts';
import { namespace, pageInput } from './fields.ts';
import { filter } from './filter.ts';
import { insideNamespace } from './row.ts';

const input = z.object({
  namespace,
  type: z.enum(['documents', 'chunks', 'memories']),
  ...pageInput,
  sort: z.enum(['createdAt', 'updatedAt', 'position']).default('createdAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
  filter,
  include: z
    .object({
      content: z.boolean().default(false),
      memoryCount: z.boolean().default(true),
      forgotten: z.boolean().default(false),
    })
    .prefault({}),
});

type Asked = z.output<typeof input>;

const output = z.object({
  documents: z.array(listedDocumentAnswer),
  chunks: z.array(chunkAnswer.extend({ documentId: z.string() })),
  memories: z.array(memoryAnswer),
  pagination,
});

type Answer = z.input<typeof output>;

const NOTHING = { documents: [], chunks: [], memories: [] };

const pageOf = ({ namespace: containerTag, page, limit, sort, order, filter: filters }: Asked) => {
  if (sort === 'position')
    throw badRequest('Invalid request: sort: position is for chunks; use createdAt or updatedAt.');
  return { containerTag, page, limit, sort, order, filters };
};

const documentsPage = async (service: Service, caller: Caller, asked: Asked): Promise<Answer> => {
  const { content: includeContent, memoryCount } = asked.include;
  const query = listInput.parse({ ...pageOf(asked), includeContent });
  const { memories: listed, pagination: place } = await service.documents.list(caller, query);
  const ids = listed.map(({ id }) => id);
  const known =
    ids.length === 0
      ? []
      : (await service.documents.byIds(caller, { by: 'id', ids, tags: undefined })).documents;
  const details = new Map(known.map((one) => [one.id, one]));
  const documents = listed.map(({ createdAt, updatedAt, step, content, ...document }) => {
    const detail = details.get(document.id);
    return {
      ...document,
      metadata: document.metadata ?? {},
      ...(includeContent ? { content: content ?? null } : {}),
      system: {
        ...{ status: step, createdAt, updatedAt },
        dreamingStatus: detail?.dreamingStatus ?? 'done',
        ...(memoryCount ? { memoryCount: detail === undefined ? 0 : liveMemoriesOf(detail) } : {}),
      },
    };
  });
  return { ...NOTHING, documents, pagination: place };
};

const memoriesPage = async (service: Service, caller: Caller, asked: Asked): Promise<Answer> => {
  const query = listMemoriesInput.parse(pageOf(asked));
  const { forgotten } = asked.include;
  const { memoryEntries, pagination: place } = await service.memories.list(caller, query, { forgotten });
  return { ...NOTHING, memories: memoryEntries.map(toMemoryAnswer), pagination: place };
};

const chunksPage = async (service: Service, caller: Caller, asked: Asked): Promise<Answer> => {
  const { page, limit, sort, order, filter: chosen } = asked;
  const query = { sort, order, limit, offset: (page - 1) * limit, ...defined({ filter: chosen }) };
  const { chunks: listed, total } = await service.documents.listChunks(caller, query);
  const chunks = listed.map((chunk) => ({ ...toChunkAnswer(chunk), documentId: chunk.documentId }));
  const place = { currentPage: page, limit, totalItems: total, totalPages: Math.ceil(total / limit) };
  return { ...NOTHING, chunks, pagination: place };
};

const pages = { documents: documentsPage, memories: memoriesPage, chunks: chunksPage };

export const listNamespace = insideNamespace({
  name: 'namespaces.list',
  summary: 'client.list',
  rest: { method: 'POST', path: '/ns/{namespace}/list/{type}', status: 200, fields: 'both' },
  permission: 'read',
  input,
  output,
  run: (service, asked, caller) => pages[asked.type](service, caller, asked),
});
