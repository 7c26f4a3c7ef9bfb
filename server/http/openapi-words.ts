// What the description says beside the operations: its groups, its failures, its keys.
import type { Json } from './json-schema.ts';

/** What each group of operations is about; a group without a line here fails the lint of the document. */
export const groups: Readonly<Record<string, string>> = {
  connections: 'Outside sources that sync into documents.',
  containerTags: 'The labels that group and isolate documents and memories.',
  conversations: 'Conversations, message by message.',
  documents: 'What was sent: added, read, listed, changed and deleted.',
  grants: 'Programs that were connected, and keys of plugins.',
  keys: 'Keys, and what each may do.',
  memories: 'Single statements: given, changed, forgotten and listed.',
  profile: 'What is known of whom or what a container tag stands for.',
  search: 'Finding memories and passages of documents.',
  session: 'Who is asking.',
  settings: 'Settings of the whole organisation.',
  spaces: 'Embedding spaces, and moving from one to another.',
};

export const failures: Readonly<Record<number, { name: string; description: string; error: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'Something in the request is missing or not valid; every bad field is named.',
    error: 'The request is not valid: content must be given.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, wrong, expired or disabled.',
    error: 'The API key is not known here. Check it, or create another.',
  },
  403: {
    name: 'Forbidden',
    description: 'The key may not do this, or not with these container tags.',
    error: 'This key may not use the container tag user_bob. It may use: user_ada.',
  },
  404: {
    name: 'NotFound',
    description: 'There is no such thing, or the key may not see it.',
    error: 'There is no such document.',
  },
  409: {
    name: 'Conflict',
    description: 'The request does not fit the present state.',
    error: 'This memory is forgotten already.',
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 50 MiB.',
    error: 'The body is larger than 50 MiB. Split it.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests; wait as long as Retry-After says.',
    error: 'Too many requests. Try again in 1 second.',
  },
  500: {
    name: 'InternalError',
    description: 'Something failed on the server; details hold the request id.',
    error: 'Something failed on the server.',
  },
  501: {
    name: 'NotImplemented',
    description: 'This server cannot do that.',
    error: 'This server has no connections yet.',
  },
  503: {
    name: 'Unavailable',
    description: 'A part that is needed does not answer at the moment.',
    error: 'The embedding service does not answer. Try again in a minute.',
  },
};

export const errorSchema: Json = {
  type: 'object',
  description: 'How every failure is answered.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'What happened and what to do next.' },
    details: { type: 'string', description: 'More about it, when there is more.' },
  },
};

export const securitySchemes: Json = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer sm_…' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The same key in a header of its own.',
  },
};
