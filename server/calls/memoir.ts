// An opened Memoir, as `main.ts` and the command line use it.
import type { Logger } from '../core/log.ts';
import type { Invoke } from './invoke.ts';
import type { Service } from './service.ts';

/** Stores the bytes of uploaded files. */
export interface FileReceiver {
  /** The file is durable when this resolves; a rejection leaves nothing behind. */
  receive(source: AsyncIterable<Uint8Array>): Promise<{ key: string; bytes: number; sha256: string }>;
  erase(key: string): Promise<void>;
}

export interface Memoir {
  readonly service: Service;
  readonly invoke: Invoke;
  readonly orgId: string;
  /** Stores uploaded files before an operation is called with them. */
  readonly files: FileReceiver;
  /** The key of this start, for commands on the same machine. */
  readonly localToken: string;
  /** The key that this start created, shown once; null if a key already exists. */
  readonly firstKey: string | null;
  /** Null until it listens. */
  readonly url: string | null;
  readonly log: Logger;
  listen(): Promise<string>;
  close(): Promise<void>;
}
