// The thread in which Chroma's native server runs: the call returns only when the server has stopped.
import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../../lib/failures.ts';
import { type BindingChoice, loadChromaBinding } from './native-binding.ts';

export interface ChromaThreadData {
  readonly folder: string;
  readonly port: string;
}

export type ChromaThreadMessage = { readonly loaded: string } | { readonly refused: string };

const say = (message: ChromaThreadMessage) => parentPort?.postMessage(message);

const chooseBinding = (): BindingChoice | null => {
  try {
    return loadChromaBinding();
  } catch (error) {
    say({ refused: messageOf(error) });
    return null;
  }
};

const { folder, port } = workerData as ChromaThreadData;
const choice = chooseBinding();
if (choice !== null) {
  say({ loaded: choice.name });
  choice.binding.cli(['chroma', 'run', '--path', folder, '--host', '127.0.0.1', '--port', port]);
}
