// The commands of a thread, called on this thread.
import type { Call, CommandHandlers } from '../../server/lib/threads/rpc.ts';

export const directCall =
  <Commands extends CommandHandlers>(handlers: Commands): Call<Commands> =>
  async (command, ...args) => {
    const handler: CommandHandlers[string] | undefined = handlers[command];
    if (!handler) throw new Error(`There is no command ${command}`);
    return (await handler(...(args as never[]))) as never;
  };
