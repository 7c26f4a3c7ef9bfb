// Registers the agent tools on an MCP server: validates arguments, checks answers, reports errors.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type {
  AgentContext,
  AgentProgress,
  AgentSession,
  AgentTool,
  Operation,
} from '../../tools/operation.ts';
import { Refused } from '../../tools/tool.ts';
import { describeIssues } from '../lib/issues.ts';
import { isObject } from '../lib/objects.ts';
import { parseInput } from '../lib/parse-input.ts';
import { describedBy, jsonSchemaOf } from './schema.ts';

export interface ToolDeps {
  operations: readonly Operation[];
  session: AgentSession;
  /** Aborted when the client closes the connection; older protocol versions have no other signal. */
  signal?: AbortSignal | undefined;
  /** Logs an internal error. */
  broke(error: unknown): void;
}

/** The most tags that a description names; with more, the description names none. */
const NAMED_TAGS = 10;

// --- arguments -------------------------------------------------------------------------------------

const hasChoice = ({ tags }: AgentSession): boolean => tags === null || tags.length > 1;

const tagField = ({ tags, defaultTag }: AgentSession): z.ZodType => {
  const choices = tags === null || tags.length > NAMED_TAGS ? '' : `One of ${tags.join(', ')}. `;
  return z.string().min(1).max(100).optional().describe(`${choices}Default ${defaultTag}.`);
};

/** The tag field is added only for callers with several tags, so that a model cannot name a wrong one. */
const toolInput = ({ input, takesTag }: AgentTool, session: AgentSession): z.ZodObject => {
  if (!takesTag || !hasChoice(session)) return input;
  return input.safeExtend({ containerTag: tagField(session) });
};

/** Hosts cache the list of tools, so a call may still name the only tag. */
const withoutOnlyTag = (args: Record<string, unknown>, { tags }: AgentSession): Record<string, unknown> => {
  const [only, ...others] = tags ?? [];
  if (only === undefined || others.length > 0 || !('containerTag' in args)) return args;
  const { containerTag, ...rest } = args;
  if (containerTag === only) return rest;
  throw new Refused(
    403,
    `This key may only use the container tag ${JSON.stringify(only)}: leave containerTag out.`,
  );
};

const toolArguments = (tool: AgentTool, schema: z.ZodObject, input: unknown, session: AgentSession) => {
  const parsed = parseInput(schema, withoutOnlyTag(isObject(input) ? input : {}, session));
  if (!parsed.success) {
    throw new Refused(400, `Invalid arguments for ${tool.name}: ${describeIssues(parsed.error.issues)}.`);
  }
  const { containerTag, ...rest } = parsed.data;
  return { args: rest, tag: typeof containerTag === 'string' ? containerTag : session.defaultTag };
};

// --- a call ----------------------------------------------------------------------------------------

/** Sends progress to clients that requested it; a failed notification does not fail the call. */
const progressReporter = ({ mcpReq }: ServerContext): ((progress: AgentProgress) => Promise<void>) => {
  const { progressToken } = mcpReq._meta ?? {};
  return async ({ done, total, message }) => {
    if (progressToken === undefined || mcpReq.signal.aborted) return;
    const params = { progressToken, progress: done, total, message };
    await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
};

const toolContext = ({ session, signal }: ToolDeps, tag: string, protocol: ServerContext): AgentContext => {
  const abortSignal =
    signal === undefined ? protocol.mcpReq.signal : AbortSignal.any([signal, protocol.mcpReq.signal]);
  return {
    tag,
    hasOtherTags: hasChoice(session),
    report: progressReporter(protocol),
    signal: abortSignal,
    async ask<O extends Operation>(operation: O, input: z.input<O['input']>) {
      return (await session.ask(operation, input, abortSignal)) as z.output<O['output']>;
    },
  };
};

const errorResult = (text: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text }] });

const UNEXPECTED =
  'An internal error occurred; the server log has the cause. Try again, or tell the operator of the server.';

/** The error text for a model whose call failed. */
export const errorForModel = (error: unknown, { broke }: Pick<ToolDeps, 'broke'>): string => {
  if (error instanceof Refused) return error.message;
  if (error instanceof Error && error.name === 'AbortError') return 'The call was cancelled.';
  broke(error);
  return UNEXPECTED;
};

const checkedOutput = (tool: AgentTool, data: unknown): Record<string, unknown> => {
  const parsed = tool.output.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(
    `The tool ${tool.name} returned an answer that does not match its schema: ${describeIssues(parsed.error.issues)}`,
  );
};

const registerTool = (server: McpServer, deps: ToolDeps, operation: Operation, tool: AgentTool): void => {
  const schema = toolInput(tool, deps.session);
  const described = {
    title: tool.title,
    description: tool.description,
    inputSchema: describedBy(jsonSchemaOf(schema, 'input')),
    outputSchema: describedBy(jsonSchemaOf(tool.output, 'output')),
    annotations: { ...tool.hints },
  };
  server.registerTool(tool.name, described, async (input, protocol) => {
    try {
      const { args, tag } = toolArguments(tool, schema, input, deps.session);
      const { data, text } = await tool.run(args, toolContext(deps, tag, protocol), operation);
      return { content: [{ type: 'text', text }], structuredContent: checkedOutput(tool, data) };
    } catch (error) {
      return errorResult(errorForModel(error, deps));
    }
  });
};

export const registerTools = (server: McpServer, deps: ToolDeps): void => {
  for (const operation of deps.operations) {
    if (operation.mcp !== undefined) registerTool(server, deps, operation, operation.mcp);
  }
};
