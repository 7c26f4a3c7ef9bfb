// A few small operations for tests of the ways in: each shows one thing that a call can meet.
import { z } from 'zod';
import { conflict, MemoirError, notImplemented } from '../../server/core/errors.ts';
import { receivedFile } from '../../tools/documents/schemas/file.ts';
import { type Operation, operation } from '../../tools/operation.ts';

const tags = z.array(z.string()).optional();
const echo = z.object({
  id: z.string().optional(),
  text: z.string().optional(),
  tags,
  scope: z.object({ reads: tags.nullable(), holds: tags.nullable() }),
});

export const addNote = operation({
  name: 'notes.add',
  summary: 'Add a note',
  rest: { method: 'POST', path: '/v3/notes', status: 201 },
  permission: 'write',
  reaches: 'tags',
  input: z.object({
    text: z.string().min(1),
    tags,
    metadata: z
      .record(z.string(), z.union([z.string(), z.number()], { error: 'must be text or a number' }))
      .optional(),
  }),
  output: echo,
  tags: (input) => input.tags,
  examples: [{ summary: 'A note', input: { text: 'Buy milk', tags: ['home'] } }],
  run: async (_service, { text, tags }, { scope }) => ({
    text,
    ...(tags === undefined ? {} : { tags }),
    scope: { reads: scope.reads?.slice() ?? null, holds: scope.holds?.slice() ?? null },
  }),
});

const getNote = operation({
  name: 'notes.get',
  summary: 'Read a note',
  rest: { method: 'GET', path: '/v3/notes/{id}', status: 200 },
  permission: 'read',
  reaches: 'document',
  input: z.object({
    id: z.string(),
    text: z.string().optional(),
    tags: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  output: echo,
  tags: () => undefined,
  run: async (_service, { id, text, tags: named }, { scope }) => ({
    id,
    ...(text === undefined ? {} : { text }),
    ...(named === undefined ? {} : { tags: [named].flat() }),
    scope: { reads: scope.reads?.slice() ?? null, holds: scope.holds?.slice() ?? null },
  }),
});

const deleteNote = operation({
  name: 'notes.delete',
  summary: 'Delete a note',
  rest: { method: 'DELETE', path: '/v3/notes/{id}', status: 204 },
  permission: 'write',
  reaches: 'document',
  input: z.object({ id: z.string() }),
  output: z.void(),
  tags: () => undefined,
  run: async () => undefined,
});

const deleteNotes = operation({
  name: 'notes.deleteBulk',
  summary: 'Delete several notes',
  rest: { method: 'DELETE', path: '/v3/notes/bulk', status: 200 },
  permission: 'write',
  reaches: 'tags',
  input: z.object({ ids: z.array(z.string()).min(1) }),
  output: z.object({ deleted: z.array(z.string()) }),
  tags: () => undefined,
  run: async (_service, { ids }) => ({ deleted: ids }),
});

const failures: Record<string, () => unknown> = {
  conflict: () => conflict('It was forgotten already. Read it again.'),
  notImplemented: () => notImplemented('This server has no connections.'),
  unavailable: () =>
    new MemoirError(503, 'The index does not answer. Try again.', { cause: new Error('secret cause') }),
  bug: () => new TypeError('secret cause'),
  ours: () => new MemoirError(500, 'secret sentence'),
};

/** Fails as it is told to. */
export const failNote = operation({
  name: 'notes.fail',
  summary: 'Fail',
  rest: { method: 'POST', path: '/v3/notes/fail', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({ how: z.string() }),
  output: z.object({}),
  run: async (_service, { how }) => {
    throw failures[how]?.() ?? new Error('no such failure');
  },
});

/** Answers outside its contract. */
export const brokenNote = operation({
  name: 'notes.broken',
  summary: 'Answer outside the contract',
  rest: { method: 'GET', path: '/v3/notes/broken', status: 200 },
  permission: 'read',
  reaches: 'self',
  input: z.object({}),
  output: z.object({ count: z.number() }),
  run: async () => JSON.parse('{"count":"secret value"}'),
});

export interface Slow {
  operation: Operation;
  started: Promise<void>;
  /** Resolves with what the operation saw of its signal when it ended. */
  ended: Promise<{ aborted: boolean }>;
  finish(): void;
}

/** Runs until it is told to finish, or its caller goes away. */
export function slowNote(): Slow {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<{ aborted: boolean }>();
  const finish = Promise.withResolvers<void>();
  return {
    operation: operation({
      name: 'notes.slow',
      summary: 'Take long',
      rest: { method: 'POST', path: '/v3/notes/slow', status: 200 },
      permission: 'read',
      reaches: 'self',
      input: z.object({}),
      output: z.object({ done: z.boolean() }),
      run: async (_service, _input, _caller, signal) => {
        started.resolve();
        const gone = new Promise<void>((resolve) =>
          signal.addEventListener('abort', () => resolve(), { once: true }),
        );
        await Promise.race([finish.promise, gone]);
        ended.resolve({ aborted: signal.aborted });
        signal.throwIfAborted();
        return { done: true };
      },
    }),
    started: started.promise,
    ended: ended.promise,
    finish: finish.resolve,
  };
}

export const notes: readonly Operation[] = [addNote, getNote, deleteNote, deleteNotes, failNote, brokenNote];

/** Receives a form; the file is erased after the call. */
export const uploadNote = operation({
  name: 'notes.upload',
  summary: 'Upload a note',
  rest: { method: 'POST', path: '/v3/notes/file', status: 201, fields: 'form' },
  permission: 'write',
  reaches: 'self',
  input: z.looseObject({ file: receivedFile.optional() }),
  output: z.object({ fields: z.number() }),
  run: async (_service, { file: _file, ...fields }) => ({ fields: Object.keys(fields).length }),
});
