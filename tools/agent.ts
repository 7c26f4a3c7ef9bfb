// The shape of a tool that agents see: the `mcp` part of an operation, written in a file beside it (`*.agent.ts`).
import type { z } from 'zod';
import type { Operation } from './contract.ts';

/** What hosts are told of a tool before they let a model call it; all four are always said. */
export interface AgentHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** A refusal of an operation as tools hear it, whichever way the operation was reached. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Refused';
    this.status = status;
  }
}

/** How far a call is; told to clients that asked to hear it. */
export interface AgentProgress {
  done: number;
  total: number;
  message: string;
}

/** Who calls the tools, and how their operations are reached. */
export interface AgentSession {
  /** The container tags that the caller may use; null: all. */
  tags: readonly string[] | null;
  /** Where a call goes that names no container tag. */
  defaultTag: string;
  /** Throws `Refused` where the operation is refused. */
  ask(operation: Operation, input: unknown, signal: AbortSignal): Promise<unknown>;
}

/** What surrounds one call of a tool. Each operation that it asks for takes the one path of every call. */
export interface AgentContext {
  /** Throws `Refused`. */
  ask<O extends Operation>(operation: O, input: z.input<O['input']>): Promise<z.output<O['output']>>;
  /** The container tag that was named, else the caller's default. */
  tag: string;
  /** Whether the caller may use other container tags as well. */
  hasOtherTags: boolean;
  report(progress: AgentProgress): Promise<void>;
  /** Aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/** The operation that a tool stands beside comes with its types. */
export interface AgentCall<Input extends z.ZodType, Output extends z.ZodType> extends AgentContext {
  own(input: z.input<Input>): Promise<z.output<Output>>;
}

/** Everything as data, and the same in as few words as possible: hosts show a model either, or both. */
export interface AgentAnswer {
  data: Record<string, unknown>;
  text: string;
}

export interface AgentTool {
  name: string;
  title: string;
  /** Written for models: what it does, when to call it, when not. */
  description: string;
  hints: AgentHints;
  /** Without the container tag, which is added for callers that have a choice. */
  input: z.ZodObject;
  output: z.ZodObject;
  /** Whether it works under one container tag; one document is found by its id alone. */
  takesTag: boolean;
  /** `args` have passed `input`. */
  run(args: unknown, context: AgentContext, operation: Operation): Promise<AgentAnswer>;
}

export interface AgentToolDefinition<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Args extends z.ZodObject,
  Result extends z.ZodObject,
> extends Omit<AgentTool, 'run' | 'input' | 'output'> {
  input: Args;
  output: Result;
  run(args: z.output<Args>, call: AgentCall<Input, Output>): Promise<z.output<Result>>;
  text(result: z.output<Result>): string;
}

/** Keeps the types of one tool: first those of its operation, then its own. */
export const agentTool =
  <Input extends z.ZodType, Output extends z.ZodType>() =>
  <Args extends z.ZodObject, Result extends z.ZodObject>({
    run,
    text,
    ...tool
  }: AgentToolDefinition<Input, Output, Args, Result>): AgentTool => ({
    ...tool,
    async run(args, context, operation) {
      const own = async (input: z.input<Input>) => (await context.ask(operation, input)) as z.output<Output>;
      const data = await run(args as z.output<Args>, { ...context, own });
      return { data, text: text(data) };
    },
  });
