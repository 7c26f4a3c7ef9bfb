// The models that a person chose are kept in the folder of models. Processes that share a database share the choices through it.
import type { ModelChoiceStore } from '../adapters/store/ports/organisation.ts';
import type { Logger } from '../core/log.ts';
import type { Signals } from '../core/processes/signals.ts';
import { limitRuns } from '../lib/async/limit-runs.ts';
import { sharedRun } from '../lib/async/shared-run.ts';
import { adoptModelChoices, modelChoicesIn } from '../lib/models/model-folder.ts';

export interface SharedChoices {
  /** Takes the choices that other processes made. A failure is logged, and the next look tries again. */
  look(): Promise<void>;
  /** Gives the choices of this process to all others. */
  share(): Promise<void>;
}

export interface SharedChoicesParts {
  readonly folder: string;
  readonly store: ModelChoiceStore;
  readonly signals: Signals;
  /** The embedder and the reranker are looked up at each use, the language models are opened anew. */
  readonly reloadLanguageModel: () => Promise<void>;
  readonly log: Pick<Logger, 'warn'>;
}

export const openSharedChoices = (parts: SharedChoicesParts): SharedChoices => {
  const { folder, store, signals, reloadLanguageModel, log } = parts;
  /** The folder alone does not tell it, because processes on one machine may share the folder. */
  let known: string | null = null;
  /** A look that read before a choice was kept would take it back. */
  const alone = limitRuns(1);
  const adopt = async (): Promise<void> => {
    const choices = await store.read();
    if (choices === null || choices === known) return;
    adoptModelChoices(folder, choices);
    await reloadLanguageModel();
    known = choices;
  };
  return {
    look: sharedRun(async () => {
      try {
        await alone(adopt);
      } catch (error) {
        log.warn({ err: error }, 'The models that another process chose could not be taken over.');
      }
    }),
    share: () =>
      alone(async () => {
        known = modelChoicesIn(folder);
        await store.keep(known);
        signals.tell('models');
      }),
  };
};

/** A process that is alone. */
export const noSharedChoices: SharedChoices = {
  look: async () => undefined,
  share: async () => undefined,
};
