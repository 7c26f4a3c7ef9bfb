// The thread in which Chroma's native server runs: the call returns only when the server has stopped.
import { parentPort, workerData } from 'node:worker_threads';
import { stepAside } from '../../lib/step-aside.ts';
import { type BindingChoice, loadChromaBinding } from './chroma-binding.ts';

export interface ChromaThreadData {
  readonly folder: string;
  readonly port: string;
}

export type ChromaThreadMessage =
  | { readonly loaded: string }
  | { readonly refused: string }
  | { readonly note: string };

const say = (message: ChromaThreadMessage) => parentPort?.postMessage(message);

const choose = (): BindingChoice | null => {
  try {
    return loadChromaBinding();
  } catch (error) {
    say({ refused: messageOf(error) });
    return null;
  }
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

// The threads that Chroma starts take the priority of this one. Nobody waits for what it writes; and while it looks for
// neighbours, the search that asked leaves it the processor.
stepAside((error) => say({ note: `Chroma has no lower priority: ${messageOf(error)}` }));

const { folder, port } = workerData as ChromaThreadData;
const choice = choose();
if (choice !== null) {
  say({ loaded: choice.name });
  choice.binding.cli(['chroma', 'run', '--path', folder, '--host', '127.0.0.1', '--port', port]);
}
