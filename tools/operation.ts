// The types of operations and of the tools that agents see. One file per operation; this file runs no code on import.
import type { z } from 'zod';
import type { AuditAction, Caller, Service } from './context.ts';
import type { Added } from './shared/added.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RestRoute {
  method: Method;
  /** With `{name}` for path parameters: `/v3/documents/{id}`. */
  path: string;
  /** The status of success; 204 sends no body. */
  status: 200 | 201 | 202 | 204;
  /** True if this answer only says that the work was accepted: its status is then 202. */
  isAccepted?: (output: unknown) => boolean;
  /**
   * The place of the fields that are not in the path. Default: query for GET, body otherwise.
   * A form is multipart: one part named `file` holds a file, every other part is a field.
   * Both: in the query and in the body; the body wins.
   */
  fields?: 'query' | 'body' | 'form' | 'both';
  /** The answer is plain text, and the output a string. */
  text?: true;
}

/**
 * The data that an operation accesses; it decides how the caller's key restricts the call:
 * - `tags`: documents by tag; `tags(input)` returns the tags that the call names
 * - `document`: one document by id or customId; found within the caller's tags only
 * - `inside`: what one tag holds; `tags(input)` returns it, and the call finds nothing outside, also when it writes
 * - `self`: the caller's own key and session, and what every caller may know
 * - `account`: keys, programs and sessions: a member's own for a member, all of them for whoever manages the organisation
 * - `organisation`: members and settings; never for a key that is bound to tags, a connected program, a plugin or a member
 *   without the role of an owner or an admin
 */
export type Reaches = 'tags' | 'document' | 'inside' | 'self' | 'account' | 'organisation';

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `group.operation`, as in the SDK and the logs. */
  name: string;
  summary: string;
  description?: string;
  rest: RestRoute;
  permission: 'read' | 'write';
  reaches: Reaches;
  /** Set if the role of an admin is not enough. */
  role?: 'owner';
  input: Input;
  output: Output;
  /** The container tags that this call names; undefined: none. Required where `reaches` is `tags`, `document` or `inside`. */
  tags?: (input: z.output<Input>) => readonly string[] | undefined;
  /** Set if the call counts as a search for quotas. */
  searches?: true;
  /** The content that a call adds, for the counts of usage and for quotas. */
  adds?: (input: z.output<Input>) => Added;
  /** Error statuses that the caller should expect, for the description. */
  errors?: readonly number[];
  /** The action under which the audit log notes the change. Required where a write reaches the organisation. */
  audits?: AuditAction;
  /** The tool that agents see; most operations have none. */
  mcp?: AgentTool;
  examples?: readonly { summary: string; input: z.input<Input>; output?: z.input<Output> }[];
  run(
    service: Service,
    input: z.output<Input>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<z.input<Output>>;
}

/** Keeps the exact types of one operation; in the registry each has the type `Operation`. */
export const operation = <Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> => definition;

// --- the tools that agents see ---------------------------------------------------------------------

/** Hints that a host reads before it lets a model call a tool; all four are always sent. */
export interface AgentHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** Progress of a call, sent to clients that asked for it. */
export interface AgentProgress {
  done: number;
  total: number;
  message: string;
}

/** The caller of the tools, with access to their operations. */
export interface AgentSession {
  /** The container tags that the caller may use; null: all. */
  tags: readonly string[] | null;
  /** The container tag of a call that names none. */
  defaultTag: string;
  /** Throws `Refused` if the operation is refused. */
  ask(operation: Operation, input: unknown, signal: AbortSignal): Promise<unknown>;
}

/** The context of one tool call. Each operation that a tool calls runs through the same checks as every other call. */
export interface AgentContext {
  /** Throws `Refused`. */
  ask<O extends Operation>(operation: O, input: z.input<O['input']>): Promise<z.output<O['output']>>;
  /** The container tag from the call, otherwise the caller's default. */
  tag: string;
  /** True when the caller may use other container tags as well. */
  hasOtherTags: boolean;
  report(progress: AgentProgress): Promise<void>;
  /** Aborted when the client no longer waits for the answer. */
  signal: AbortSignal;
}

/** Adds `own`: a typed call of the operation that the tool belongs to. */
export interface AgentCall<Input extends z.ZodType, Output extends z.ZodType> extends AgentContext {
  own(input: z.input<Input>): Promise<z.output<Output>>;
}

/** The answer as data, and as short text: hosts show a model one of them, or both. */
export interface AgentAnswer {
  data: Record<string, unknown>;
  text: string;
}

export interface AgentTool {
  name: string;
  title: string;
  /** Written for models: the purpose, and when to call the tool or not. */
  description: string;
  hints: AgentHints;
  /** Without the container tag; it is added for callers that can use several tags. */
  input: z.ZodObject;
  output: z.ZodObject;
  /** True if the tool works under one container tag; false if an id is enough. */
  takesTag: boolean;
  /** `args` have passed `input`. */
  run(args: unknown, context: AgentContext, operation: Operation): Promise<AgentAnswer>;
}
