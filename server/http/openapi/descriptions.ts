// Fixed parts of the OpenAPI document: groups, errors, security schemes.
import type { Json } from './json-schema.ts';

/** A description of each group of operations; a group without a line here fails the lint of the document. */
export const groups: Readonly<Record<string, string>> = {
  analytics: 'Counts, times, errors and the log of calls.',
  audit: 'The log of changes to keys, members, settings, tags and connections.',
  connections: 'External sources that sync into documents.',
  projects: 'Container tags in the form that older programs read and change.',
  containerTags: 'The labels that group and isolate documents and memories.',
  conversations: 'Adding conversations as lists of messages.',
  documents: 'Adding, reading, listing, changing and deleting documents.',
  grants: 'Grants of connected programs, and keys of plugins.',
  keys: 'API keys and their permissions.',
  memories: 'Adding, changing, forgetting and listing memories.',
  profile: 'Short lists of facts about a container tag.',
  quotas: 'What keys, members and container tags may use in a day or a month.',
  search: 'Searching memories and documents.',
  secrets: 'The key that encrypts stored secrets.',
  session: 'The caller and the rights of the key.',
  settings: 'Settings of the whole organisation.',
  spaces: 'Embedding spaces, and reindexing with another embedder.',
  models: 'The models that run on the machine of the server.',
  team: 'Members, their roles and rights, and invitations.',
  storage: 'The space that the database uses on the disk, and giving it back.',
};

export const failures: Readonly<Record<number, { name: string; description: string; error: string }>> = {
  400: {
    name: 'BadRequest',
    description: 'The request is not valid; the error names every missing or invalid field.',
    error: 'The request is not valid: content is required.',
  },
  401: {
    name: 'Unauthorized',
    description: 'The key is missing, wrong, expired or disabled.',
    error: 'The API key is unknown. Check it, or create a new one.',
  },
  403: {
    name: 'Forbidden',
    description: 'The key has no permission for this operation or for these container tags.',
    error: 'This key may not use the container tag user_bob. It may use: user_ada.',
  },
  404: {
    name: 'NotFound',
    description: 'The item does not exist, or the key may not access it.',
    error: 'The document does not exist.',
  },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the current state.',
    error: 'This memory is already forgotten.',
  },
  413: {
    name: 'TooLarge',
    description: 'The body is larger than 50 MiB.',
    error: 'The body is larger than 50 MiB. Split it into several requests.',
  },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests. Wait for the time in Retry-After.',
    error: 'Too many requests. Try again in 1 second.',
  },
  500: {
    name: 'InternalError',
    description: 'An internal error. details contains the request id.',
    error: 'An internal error occurred.',
  },
  501: {
    name: 'NotImplemented',
    description: 'This operation is not implemented.',
    error: 'Connections are not implemented yet.',
  },
  503: {
    name: 'Unavailable',
    description: 'A required part of the service is not available now.',
    error: 'The embedding service does not answer. Try again in a minute.',
  },
};

export const errorSchema: Json = {
  type: 'object',
  description: 'The body of every error response.',
  required: ['error'],
  properties: {
    error: { type: 'string', description: 'The problem, and what you can do.' },
    details: { type: 'string', description: 'More details, if there are any.' },
  },
};

export const securitySchemes: Json = {
  bearer: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer sm_…' },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The API key in the header x-api-key.',
  },
};
