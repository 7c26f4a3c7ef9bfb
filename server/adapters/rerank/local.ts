// Reranks with a model on this machine, in a thread of its own. `memoir models add` installs models, and
// `memoir models use` chooses one.
import { unavailable } from '../../core/errors.ts';
import { orAborted } from '../../lib/async/or-aborted.ts';
import { installedModelFor, modelInUse } from '../../lib/models/model-folder.ts';
import { isRuntimeInstalled } from '../../lib/models/runtime.ts';
import { cutText } from '../../lib/text/cut.ts';
import { entry } from '../../lib/threads/entry.ts';
import { type OnDemandThread, onDemandThread } from '../../lib/threads/on-demand-thread.ts';
import type { RerankCommands } from './local/commands.ts';
import type { ChosenReranker, Reranker, RerankLimits } from './port.ts';

export interface LocalReranking {
  /** The folder of models. */
  readonly folder: string;
  /** The cores that one call may use. */
  readonly threads: number;
  /** The tokens of one step. */
  readonly batchTokens: number;
}

/** Such models read 512 tokens, including the query. */
const LIMITS: RerankLimits = { texts: 50, characters: 2_000 };

/** A further search is refused at once. */
const MOST_SEARCHES = 4;

/** Little work in each call: a search gets scores early, and a call that nobody waits for any more ends soon. */
const TEXTS_PER_CALL = 8;
const CHARACTERS_PER_CALL = 4_000;

/** Long enough for a person who searches now and then; a model that is no longer used gives its memory back. */
const REST_MS = 600_000;

const callsOf = (texts: readonly string[]): string[][] => {
  const calls: string[][] = [];
  let call: string[] = [];
  let characters = 0;
  for (const text of texts) {
    characters += text.length;
    if (call.length > 0 && (call.length >= TEXTS_PER_CALL || characters > CHARACTERS_PER_CALL)) {
      calls.push(call);
      call = [];
      characters = text.length;
    }
    call.push(text);
  }
  return call.length > 0 ? [...calls, call] : calls;
};

/** Without paths of this machine and without the words of a library, because callers read the message. */
const rerankFailure = ({ folder }: LocalReranking, name: string, cause: unknown): Error => {
  const isInstalled = isRuntimeInstalled(folder) && installedModelFor(folder, name, 'reranking') !== null;
  const what = isInstalled
    ? `The model ${name} cannot rerank; the log of the server says why. Install it again`
    : `The model ${name} is chosen and not installed. Install it`;
  return new Error(
    `${what} with "memoir models add ${name}", or go back with "memoir models use builtin --for reranking".`,
    { cause },
  );
};

interface OpenReranker extends Reranker {
  close(): Promise<void>;
}

const openModel = (local: LocalReranking, name: string): OpenReranker => {
  const thread: OnDemandThread<RerankCommands> = onDemandThread(
    entry('./local/rerank-thread', import.meta.url),
    { ...local, name },
    REST_MS,
  );
  let searches = 0;
  const release = (): void => {
    searches--;
  };
  return {
    name: `local:${name}`,
    limits: LIMITS,
    async *score(query, texts, signal) {
      signal.throwIfAborted();
      if (searches >= MOST_SEARCHES)
        throw unavailable('The model for reranking is busy with other searches. Try again in a moment.');
      searches++;
      const asked = cutText(query, LIMITS.characters);
      let call: Promise<number[]> = Promise.resolve([]);
      try {
        for (const some of callsOf(texts)) {
          call = thread.call('score', asked, some);
          yield await orAborted(call, signal);
        }
      } catch (cause) {
        signal.throwIfAborted();
        throw rerankFailure(local, name, cause);
      } finally {
        // A call that nobody waits for any more still takes the thread's time.
        call.then(release, release);
      }
    },
    close: thread.close,
  };
};

/** The choice is read at each search: another process may share the folder of models. */
export const createLocalReranker = (local: LocalReranking): ChosenReranker => {
  let open: { readonly name: string; readonly model: OpenReranker } | null = null;
  return {
    current() {
      const name = modelInUse(local.folder, 'reranking');
      if (open?.name === name) return open?.model ?? null;
      void open?.model.close();
      open = name === null ? null : { name, model: openModel(local, name) };
      return open?.model ?? null;
    },
    close: async () => open?.model.close(),
  };
};
