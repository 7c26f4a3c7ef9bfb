// The language models of the request side. Another one may be chosen while the server runs.
import { chosenLanguageModel, type LanguageModelSettings } from '../adapters/language-model/chosen.ts';
import { openSearchModel } from '../adapters/language-model/openai/search-model.ts';
import { openSummariser } from '../adapters/language-model/openai/summariser.ts';
import type { SearchModel } from '../adapters/language-model/ports/search-model.ts';
import type { Summariser } from '../adapters/language-model/ports/summariser.ts';

export interface LanguageModels {
  /** Null: no model is chosen. */
  searchModel(): SearchModel | null;
  /** Null: no model is chosen. */
  summariser(): Summariser | null;
  /** Another model was chosen. */
  reload(): void;
}

export const openLanguageModels = (settings: LanguageModelSettings): LanguageModels => {
  const open = () => {
    const chosen = chosenLanguageModel(settings);
    return { searchModel: openSearchModel(chosen), summariser: openSummariser(chosen) };
  };
  let models = open();
  return {
    searchModel: () => models.searchModel,
    summariser: () => models.summariser,
    reload() {
      models = open();
    },
  };
};
