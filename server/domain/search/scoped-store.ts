// A store together with the scope that bounds every read from it.
import type { SearchStore } from '../../adapters/store/ports/search.ts';
import type { Scope } from '../../core/scope.ts';

export interface ScopedStore {
  readonly store: SearchStore;
  readonly scope: Scope;
}
