// Memories of one namespace: read one, forget some.
import { z } from 'zod';
import type { Service } from '../../../tools/context.ts';
import { forgetMatchingInput, maxForgotten } from '../../../tools/memories/schemas/inputs.ts';
import type { ForgetMatchingOutput } from '../../../tools/memories/schemas/outputs.ts';
import { memoryId } from '../../../tools/memories/schemas/statement.ts';
import { wholeNumberField } from '../../../tools/shared/primitives.ts';
import type { Caller } from '../../core/principal.ts';
import {
  memoryAnswer,
  relatedAnswer,
  sourceAnswer,
  toMemoryAnswer,
  toRelativeAnswer,
  toSourceAnswer,
} from './answers.ts';
import { listInQuery, namespace } from './fields.ts';
import { insideNamespace } from './row.ts';

const asked = forgetMatchingInput.in.in.shape;

const forgetAnswer = z.object({
  count: z.int(),
  errors: z.array(z.object({ id: z.string(), error: z.string() })),
  matches: z.array(z.object({ id: z.string(), memory: z.string() })),
});

const toForgetAnswer = ({ count, candidates, forgotten }: ForgetMatchingOutput) => ({
  count,
  matches: candidates ?? forgotten ?? [],
});

const NOT_FORGOTTEN =
  'This namespace has no such memory, or it is forgotten already, or a newer version replaced it. List the memories to see their ids.';

export const forgetInNamespace = insideNamespace({
  name: 'namespaces.memories.forget',
  summary: 'client.memories.forget',
  rest: { method: 'DELETE', path: '/ns/{namespace}/memories', status: 200, fields: 'body' },
  permission: 'write',
  audits: 'memory.forget',
  input: z.object({ namespace, ids: z.array(memoryId).min(1).max(maxForgotten) }),
  output: forgetAnswer,
  async run(service, { namespace: containerTag, ids }, caller, signal) {
    const asking = forgetMatchingInput.parse({ containerTag, ids });
    const answer = toForgetAnswer(await service.memories.forgetMatching(caller, asking, signal));
    const done = new Set(answer.matches.map(({ id }) => id));
    const left = [...new Set(ids)].filter((id) => !done.has(id));
    return { ...answer, errors: left.map((id) => ({ id, error: NOT_FORGOTTEN })) };
  },
});

export const forgetMatchingInNamespace = insideNamespace({
  name: 'namespaces.memories.forgetMatching',
  summary: 'client.memories.forget_matching',
  rest: { method: 'DELETE', path: '/ns/{namespace}/memories/semantic', status: 200, fields: 'body' },
  permission: 'write',
  audits: 'memory.forget',
  input: z.object({ namespace, query: asked.query.unwrap(), dryRun: z.boolean() }),
  output: forgetAnswer,
  async run(service, { namespace: containerTag, query, dryRun }, caller, signal) {
    const asking = forgetMatchingInput.parse({ containerTag, query, dryRun });
    const answer = toForgetAnswer(await service.memories.forgetMatching(caller, asking, signal));
    return { ...answer, errors: [] };
  },
});

// --- one ---------------------------------------------------------------------------------------------

/** The published reach of versions. */
const MOST_STEPS = 3;

const sourceOf = async (service: Service, caller: Caller, ids: readonly string[]) => {
  const first = ids.slice(0, 1);
  if (first.length === 0) return {};
  const [source] = (await service.documents.byIds(caller, { by: 'id', ids: first, tags: undefined }))
    .documents;
  return source === undefined ? {} : { document: toSourceAnswer(source) };
};

export const memoryOfNamespace = insideNamespace({
  name: 'namespaces.memories.get',
  summary: 'client.memories.get',
  rest: { method: 'GET', path: '/ns/{namespace}/memories/{id}', status: 200 },
  permission: 'read',
  input: z.object({
    namespace,
    id: memoryId,
    include: listInQuery(z.enum(['related', 'documents'])),
    relatedLimit: wholeNumberField(1, 100).prefault(10),
  }),
  output: memoryAnswer.extend({
    included: z.object({ related: relatedAnswer.optional(), document: sourceAnswer.optional() }).optional(),
  }),
  async run(service, { namespace: tag, id, include = [], relatedLimit }, caller) {
    const found = await service.memories.get(caller, { tags: [tag], id });
    const { parents, children, related } = found.relatives;
    const steps = (all: typeof parents) =>
      all.filter(({ version }) => Math.abs(version ?? 1) <= MOST_STEPS).map(toRelativeAnswer);
    const included = {
      ...(include.includes('related')
        ? {
            related: {
              parents: steps(parents),
              children: steps(children),
              siblings: related.slice(0, relatedLimit).map(toRelativeAnswer),
            },
          }
        : {}),
      ...(include.includes('documents') ? await sourceOf(service, caller, found.documentIds) : {}),
    };
    return { ...toMemoryAnswer(found), ...(include.length === 0 ? {} : { included }) };
  },
});
