// The shape of every operation. One file per operation beside this one; nothing here starts anything.
import type { z } from 'zod';
import type { AgentTool } from './agent.ts';
import type { Caller, Service } from './context.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RestRoute {
  method: Method;
  /** With `{name}` for path parameters: `/v3/documents/{id}`. */
  path: string;
  /** The status of success; 204 sends no body. */
  status: 200 | 201 | 202 | 204;
  /**
   * Where the fields that are not in the path come from. Default: query for GET, body otherwise.
   * A form is multipart: one part named `file` holds a file, every other part is a field.
   */
  fields?: 'query' | 'body' | 'form';
  /** The answer is plain text, and the output a string. */
  text?: true;
}

/**
 * What an operation touches, and so how the caller's key binds it:
 * - `tags`: documents by tag; `tags(input)` says which tags the call names
 * - `document`: one document by id or customId; found within the caller's tags only
 * - `self`: the caller's own key and session
 * - `organisation`: keys and settings; never for a key that is bound to tags
 */
export type Reaches = 'tags' | 'document' | 'self' | 'organisation';

export interface Operation<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** `group.operation`, as the SDK and the logs say it. */
  name: string;
  summary: string;
  description?: string;
  rest: RestRoute;
  permission: 'read' | 'write';
  reaches: Reaches;
  input: Input;
  output: Output;
  /** The container tags that this call names; undefined: none. Required where `reaches` is `tags` or `document`. */
  tags?: (input: z.output<Input>) => readonly string[] | undefined;
  /** Statuses beside success that the caller should expect, for the description. */
  errors?: readonly number[];
  /** How agents see it; most operations are not for them. */
  mcp?: AgentTool;
  examples?: readonly { summary: string; input: z.input<Input>; output?: z.input<Output> }[];
  run(
    service: Service,
    input: z.output<Input>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<z.input<Output>>;
}

/** Keeps the types of one operation; the registry holds them all as `Operation`. */
export const operation = <Input extends z.ZodType, Output extends z.ZodType>(
  definition: Operation<Input, Output>,
): Operation<Input, Output> => definition;
