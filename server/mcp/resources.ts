// Resources and prompts: profiles and documents as resources, the profile as a prompt.
import {
  completable,
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { getDocument } from '../../tools/documents/get.ts';
import { listDocuments } from '../../tools/documents/list.ts';
import type { AgentSession } from '../../tools/operation.ts';
import { getProfile } from '../../tools/profile/get.ts';
import { listTags } from '../../tools/tags/list.ts';
import { Refused } from '../../tools/tool.ts';
import { documentMarkdown, profileMarkdown } from './markdown.ts';
import { errorForModel, type ToolDeps } from './tools.ts';

const MARKDOWN = 'text/markdown';
/** The number of newest documents in the list; others are found by search. */
const LISTED = 20;
const COMPLETED = 100;

const never = new AbortController().signal;

type Deps = Pick<ToolDeps, 'session' | 'broke'>;

/** Resources and prompts have no error results, so a refusal becomes a protocol error. */
const orProtocolError = async <T>(deps: Deps, uri: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused && error.status === 404) throw new ResourceNotFoundError(uri, error.message);
    const code = error instanceof Refused ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, errorForModel(error, deps));
  }
};

const readProfile = async ({ ask }: AgentSession, tag: string, signal: AbortSignal): Promise<string> => {
  const { profile } = (await ask(getProfile, { containerTag: tag }, signal)) as z.output<
    typeof getProfile.output
  >;
  return profileMarkdown(tag, profile);
};

const tagsLike = async ({ session, broke }: Deps, typed: string): Promise<string[]> => {
  try {
    const tags = (await session.ask(listTags, {}, never)) as z.output<typeof listTags.output>;
    const known = new Set([
      session.defaultTag,
      ...(session.tags ?? []),
      ...tags.map((tag) => tag.containerTag),
    ]);
    return [...known].filter((tag) => tag.startsWith(typed)).slice(0, COMPLETED);
  } catch (error) {
    if (!(error instanceof Refused)) broke(error);
    return [];
  }
};

const markdown = (uri: string, text: string) => ({ contents: [{ uri, mimeType: MARKDOWN, text }] });

const decodedParameter = (part: string | string[] | undefined): string => {
  const text = String(part ?? '');
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
};

const registerProfiles = (server: McpServer, deps: Deps): void => {
  const { session } = deps;
  const read = (uri: string, tag: string, signal: AbortSignal) =>
    orProtocolError(deps, uri, async () => markdown(uri, await readProfile(session, tag, signal)));
  server.registerResource(
    'profile',
    'memory://profile',
    {
      title: 'Profile',
      description: `The profile of ${session.defaultTag}: lasting and recent facts.`,
      mimeType: MARKDOWN,
    },
    (uri, { mcpReq }) => read(uri.href, session.defaultTag, mcpReq.signal),
  );
  server.registerResource(
    'profile-of-tag',
    new ResourceTemplate('memory://profile/{containerTag}', {
      list: undefined,
      complete: { containerTag: (typed) => tagsLike(deps, typed) },
    }),
    {
      title: 'Profile of a container tag',
      description: 'The profile of one container tag: lasting and recent facts.',
      mimeType: MARKDOWN,
    },
    (uri, { containerTag }, { mcpReq }) => read(uri.href, decodedParameter(containerTag), mcpReq.signal),
  );
};

const registerDocuments = (server: McpServer, deps: Deps): void => {
  const { session } = deps;
  const list = async (signal: AbortSignal) => {
    const newest = { containerTag: session.defaultTag, limit: LISTED };
    const { memories } = (await session.ask(listDocuments, newest, signal)) as z.output<
      typeof listDocuments.output
    >;
    return memories.map(({ id, title, status }) => ({
      uri: `memory://documents/${encodeURIComponent(id)}`,
      name: title ?? id,
      description: `A stored document (${status}).`,
      mimeType: MARKDOWN,
    }));
  };
  server.registerResource(
    'document',
    new ResourceTemplate('memory://documents/{id}', {
      list: ({ mcpReq }) =>
        orProtocolError(deps, 'memory://documents', async () => ({ resources: await list(mcpReq.signal) })),
    }),
    {
      title: 'Stored document',
      description: 'One document, by its id or customId, with its status and text.',
      mimeType: MARKDOWN,
    },
    (uri, { id }, { mcpReq }) =>
      orProtocolError(deps, uri.href, async () => {
        const found = await session.ask(getDocument, { id: decodedParameter(id) }, mcpReq.signal);
        return markdown(uri.href, documentMarkdown(found as z.output<typeof getDocument.output>));
      }),
  );
};

const registerPrompt = (server: McpServer, deps: Deps): void => {
  const { session } = deps;
  const containerTag = completable(
    z.string().describe('A container tag. Default: the tag of the key.'),
    (typed) => tagsLike(deps, typed),
  ).optional();
  server.registerPrompt(
    'context',
    {
      title: 'Known facts',
      description: 'Gives the model the profile of the user: lasting facts, then recent ones.',
      argsSchema: z.object({ containerTag }),
    },
    ({ containerTag: named }, { mcpReq }) =>
      orProtocolError(deps, 'memory://profile', async () => {
        const profile = await readProfile(session, named ?? session.defaultTag, mcpReq.signal);
        const text = `These facts are known from earlier conversations. Use them if they help, and search for more.\n\n${profile}`;
        return { messages: [{ role: 'user', content: { type: 'text', text } }] };
      }),
  );
};

export const registerResources = (server: McpServer, deps: Deps): void => {
  registerProfiles(server, deps);
  registerDocuments(server, deps);
  registerPrompt(server, deps);
};
