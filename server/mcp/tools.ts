// The agent tools of the registry on a server of the protocol: arguments judged, answers checked, refusals told.
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import {
  type AgentContext,
  type AgentProgress,
  type AgentSession,
  type AgentTool,
  Refused,
} from '../../tools/agent.ts';
import type { Operation } from '../../tools/contract.ts';
import { describeIssues } from '../lib/issues.ts';
import { describedBy, jsonSchemaOf } from './schema.ts';

export interface ToolDeps {
  operations: readonly Operation[];
  session: AgentSession;
  /** Aborted when the client is gone; its protocol may have no other way to say so. */
  signal?: AbortSignal | undefined;
  /** What went wrong through no fault of the caller. */
  broke(error: unknown): void;
}

/** Tags that a description names; with more, a model asks for them by what it was told. */
const NAMED_TAGS = 10;

// --- arguments -------------------------------------------------------------------------------------

export const hasChoice = ({ tags }: AgentSession): boolean => tags === null || tags.length > 1;

function tagField({ tags, defaultTag }: AgentSession): z.ZodType {
  const which = tags === null || tags.length > NAMED_TAGS ? '' : ` One of ${tags.join(', ')}.`;
  return z.string().min(1).max(100).optional().describe(`Container tag.${which} Default ${defaultTag}.`);
}

/** A caller with one tag has nothing to choose, and a model nothing to get wrong. */
function inputOf({ input, takesTag }: AgentTool, session: AgentSession): z.ZodObject {
  if (!takesTag || !hasChoice(session)) return input;
  return input.safeExtend({ containerTag: tagField(session) });
}

/** Hosts remember a list of tools for a while, so the one tag may still be named. */
function withoutOnlyTag(given: Record<string, unknown>, { tags }: AgentSession): Record<string, unknown> {
  const [only, ...others] = tags ?? [];
  if (only === undefined || others.length > 0 || !('containerTag' in given)) return given;
  const { containerTag, ...rest } = given;
  if (containerTag === only) return rest;
  throw new Refused(
    403,
    `This key may only use the container tag ${JSON.stringify(only)}: leave containerTag out.`,
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function argumentsOf(tool: AgentTool, schema: z.ZodObject, given: unknown, session: AgentSession) {
  const args = withoutOnlyTag(isObject(given) ? given : {}, session);
  const parsed = schema.safeParse(args);
  if (!parsed.success) {
    throw new Refused(400, `Invalid arguments for ${tool.name}: ${describeIssues(parsed.error.issues)}.`);
  }
  const { containerTag, ...rest } = parsed.data;
  return { args: rest, tag: typeof containerTag === 'string' ? containerTag : session.defaultTag };
}

// --- a call ----------------------------------------------------------------------------------------

/** Progress is told to clients that asked for it; one that does not listen any more costs nobody an answer. */
function reporter({ mcpReq }: ServerContext): (progress: AgentProgress) => Promise<void> {
  const { progressToken } = mcpReq._meta ?? {};
  return async ({ done, total, message }) => {
    if (progressToken === undefined || mcpReq.signal.aborted) return;
    const params = { progressToken, progress: done, total, message };
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}

function contextOf({ session, signal }: ToolDeps, tag: string, protocol: ServerContext): AgentContext {
  const gone =
    signal === undefined ? protocol.mcpReq.signal : AbortSignal.any([signal, protocol.mcpReq.signal]);
  return {
    tag,
    hasOtherTags: hasChoice(session),
    report: reporter(protocol),
    signal: gone,
    async ask<O extends Operation>(operation: O, input: z.input<O['input']>) {
      return (await session.ask(operation, input, gone)) as z.output<O['output']>;
    },
  };
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

const UNEXPECTED =
  'Something failed on the server; its log names the cause. Try again, or tell its operator.';

/** What a model is told when a call did not do what it should. */
export function toldOf(error: unknown, { broke }: Pick<ToolDeps, 'broke'>): string {
  if (error instanceof Refused) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'The call was cancelled.';
  broke(error);
  return UNEXPECTED;
}

function checked(tool: AgentTool, data: unknown): Record<string, unknown> {
  const parsed = tool.output.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(
    `The tool ${tool.name} answered outside its schema: ${describeIssues(parsed.error.issues)}`,
  );
}

function register(server: McpServer, deps: ToolDeps, operation: Operation, tool: AgentTool): void {
  const schema = inputOf(tool, deps.session);
  const described = {
    title: tool.title,
    description: tool.description,
    inputSchema: describedBy(jsonSchemaOf(schema, 'input')),
    outputSchema: describedBy(jsonSchemaOf(tool.output, 'output')),
    annotations: { ...tool.hints },
  };
  server.registerTool(tool.name, described, async (given, protocol) => {
    try {
      const { args, tag } = argumentsOf(tool, schema, given, deps.session);
      const { data, text } = await tool.run(args, contextOf(deps, tag, protocol), operation);
      return { content: [{ type: 'text', text }], structuredContent: checked(tool, data) };
    } catch (error) {
      return failed(toldOf(error, deps));
    }
  });
}

export function registerTools(server: McpServer, deps: ToolDeps): void {
  for (const operation of deps.operations) {
    if (operation.mcp !== undefined) register(server, deps, operation, operation.mcp);
  }
}
