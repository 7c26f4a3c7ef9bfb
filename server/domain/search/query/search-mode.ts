// The search modes, and the evidence that each of them uses.
import type { EvidenceBasis } from '../similarity/scorer.ts';

export type SearchMode = 'memories' | 'hybrid' | 'documents' | 'semantic' | 'keyword';

export const evidenceBasis = (mode: SearchMode): EvidenceBasis => {
  if (mode === 'keyword') return 'words';
  return mode === 'semantic' ? 'meaning' : 'both';
};
