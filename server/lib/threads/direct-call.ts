// Commands that are called on this thread, in the way of those of another one.
import type { Call, CommandHandlers } from './rpc.ts';

type AnyHandler = (...args: readonly unknown[]) => Promise<never>;

/** Hands on the promise of the command itself: it is on the way of every search. */
export const directCall =
  <Commands extends CommandHandlers>(handlers: Commands): Call<Commands> =>
  (command, ...args) =>
    (handlers[command] as unknown as AnyHandler)(...args);
