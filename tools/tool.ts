// Declares a tool for agents: the `mcp` part of an operation, in a file next to it (`*.agent.ts`).
import type { z } from 'zod';
import type { AgentCall, AgentTool } from './operation.ts';

/** The refusal of an operation, as the tools of agents get it. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'Refused';
    this.status = status;
  }
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

/** Keeps the exact types of one tool. The first call takes the types of its operation. */
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
