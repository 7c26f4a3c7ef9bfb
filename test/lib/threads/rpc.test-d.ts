// Type tests: a call to another thread with a wrong command name or a wrong argument does not compile.

import type { WritingCommands } from '../../../server/adapters/store/writing-side/commands.ts';
import type { IngestCommands } from '../../../server/app/ingest-thread/commands.ts';
import type { IngestThread } from '../../../server/app/ingest-thread/handle.ts';
import type { WriterThread } from '../../../server/app/writer-thread/handle.ts';
import { type Call, type Calls, type MessageEnd, serveCalls } from '../../../server/lib/threads/rpc.ts';

type Commands = {
  add(a: number, b: number): Promise<number>;
  name(): Promise<string>;
};

declare const calls: Calls<Commands>;
declare const end: MessageEnd;
declare const call: Call<Commands>;
declare const thread: IngestThread;
declare const writer: WriterThread;

export const sum: Promise<number> = calls.call('add', 1, 2);
// @ts-expect-error the answer is a number
export const text: Promise<string> = calls.call('add', 1, 2);
// @ts-expect-error there is no such command
export const renamed = calls.call('sum', 1, 2);
// @ts-expect-error an argument is missing
export const short = calls.call('add', 1);
// @ts-expect-error an argument has the wrong type
export const wrong = calls.call('add', 1, '2');
// @ts-expect-error the command takes no argument
export const extra = calls.call('name', 1);

// @ts-expect-error a command is not served
serveCalls<Commands>(end, { add: async (a, b) => a + b });
// @ts-expect-error a handler answers with the wrong type
serveCalls<Commands>(end, { add: async (a, b) => `${a}${b}`, name: async () => 'one' });

export const state: ReturnType<IngestCommands['state']> = thread.call('state');
// @ts-expect-error a write that the store does not have
export const lost = writer.call('submitAll', { orgId: 'org', tags: null }, []);
// @ts-expect-error the tags are a list
export const told = thread.tell('served', 'tag', []);

/** A thread with more commands serves a part that knows fewer. */
export const writes: Call<WritingCommands> = writer.call;
// @ts-expect-error the thread lacks the writes
export const missing: Call<WritingCommands> = call;
