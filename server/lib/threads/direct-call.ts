// Commands that are called on this thread, in the way of those of another one.
import type { Call, CommandHandlers } from './rpc.ts';

export const directCall =
  <Commands extends CommandHandlers>(handlers: Commands): Call<Commands> =>
  async (command, ...args) => {
    const handler: CommandHandlers[string] | undefined = handlers[command];
    if (!handler) throw new Error(`There is no command ${command}`);
    return (await handler(...(args as never[]))) as never;
  };
