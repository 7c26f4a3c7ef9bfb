// Reads the contents of files: one by REST, or many by one query to GraphQL.
import { z } from 'zod';
import { answerAs } from '../answer-shape.ts';
import type { ReadItem, Taken } from '../port.ts';
import { SourceError } from '../source-error.ts';
import { type GitHub, HEADERS, isNotThere, limitReached } from './api.ts';
import { GIT_FILE_HOW, MOST_FILE_BYTES, takenBytes, takenText } from './files.ts';

/** GraphQL cuts longer texts, so these are read one by one. */
const MOST_TOGETHER_BYTES = 512_000;
/** The limit of one answer, which is read as a whole. */
const MOST_ANSWER_BYTES = 8 * 1024 * 1024;
export const MOST_TOGETHER = 50;
const BLOBS = z.object({
  data: z
    .record(
      z.string(),
      z
        .record(
          z.string(),
          z
            .object({
              text: z.string().nullish(),
              isBinary: z.boolean().nullish(),
              isTruncated: z.boolean().nullish(),
            })
            .nullable(),
        )
        .nullable(),
    )
    .nullish(),
  errors: z.array(z.object({ type: z.string().optional(), message: z.string().optional() })).optional(),
});

export const readGitBlob = async (
  { api, tools }: GitHub,
  item: ReadItem,
  signal: AbortSignal,
): Promise<Taken> => {
  const { name, sha } = GIT_FILE_HOW.parse(item.how);
  const request = {
    headers: { ...HEADERS, accept: 'application/vnd.github.raw+json' },
    template: '/repos/{owner}/{name}/git/blobs/{sha}',
  };
  const answer = await tools.ask(`${api.rest}/repos/${name}/git/blobs/${sha}`, request, signal);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.stream()) {
    bytes += piece.length;
    if (bytes > MOST_FILE_BYTES)
      throw new SourceError(
        'too_large',
        `${item.face.path ?? item.id} is larger than 10 MiB, so it is not read.`,
      );
    pieces.push(piece);
  }
  return takenBytes(item, Buffer.concat(pieces));
};

interface Batch {
  readonly repository: string;
  readonly name: string;
  readonly files: { readonly item: ReadItem; readonly sha: string }[];
}

/** The files of a batch by repository, as many as fit into one answer. */
const blobBatches = (items: readonly ReadItem[]): Batch[] => {
  const batches = new Map<string, Batch>();
  let bytes = 0;
  for (const item of items) {
    const { repository, name, sha, size } = GIT_FILE_HOW.parse(item.how);
    if (size > MOST_TOGETHER_BYTES || bytes + size > MOST_ANSWER_BYTES) continue;
    bytes += size;
    const batch = batches.get(repository) ?? { repository, name, files: [] };
    batch.files.push({ item, sha });
    batches.set(repository, batch);
  }
  return [...batches.values()];
};

const BLOB_FIELDS = '... on Blob { text isBinary isTruncated }';

const blobQuery = (batches: readonly Batch[]): { query: string; variables: Record<string, string> } => {
  const variables: Record<string, string> = {};
  const declared: string[] = [];
  const fields = batches.map(({ name, files }, r) => {
    const [owner = '', repository = ''] = name.split('/');
    variables[`owner${r}`] = owner;
    variables[`name${r}`] = repository;
    declared.push(`$owner${r}: String!`, `$name${r}: String!`);
    const objects = files.map(({ sha }, b) => {
      variables[`id${r}_${b}`] = sha;
      declared.push(`$id${r}_${b}: GitObjectID!`);
      return `b${b}: object(oid: $id${r}_${b}) { ${BLOB_FIELDS} }`;
    });
    return `r${r}: repository(owner: $owner${r}, name: $name${r}) { ${objects.join(' ')} }`;
  });
  return { query: `query (${declared.join(', ')}) { ${fields.join(' ')} }`, variables };
};

/** Texts that GraphQL leaves out, because they are long or it cannot find them, are missing: REST reads them, or says why not. */
export const readGitBlobs = async (
  { api, tools }: GitHub,
  items: readonly ReadItem[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Taken>> => {
  const batches = blobBatches(items);
  const taken = new Map<string, Taken>();
  if (batches.length === 0) return taken;
  const request = {
    method: 'POST' as const,
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify(blobQuery(batches)),
    template: '/graphql',
  };
  const answer = await tools.ask(api.graphql, request, signal).catch(nullIfRefused);
  if (answer === null) return taken;
  const { data, errors = [] } = await answerAs(answer, BLOBS, 'the texts of files');
  if (errors.some(({ type }) => type === 'RATE_LIMITED')) throw limitReached(answer, tools.now());
  for (const [r, { files }] of batches.entries())
    for (const [b, { item }] of files.entries()) {
      const blob = data?.[`r${r}`]?.[`b${b}`];
      if (typeof blob?.text === 'string' && blob.isTruncated !== true && blob.isBinary !== true)
        taken.set(item.id, takenText(item, blob.text));
    }
  return taken;
};

/** A token without the right to use GraphQL may still read files one by one. */
const nullIfRefused = (error: unknown): null => {
  if (isNotThere(error)) return null;
  throw error;
};
