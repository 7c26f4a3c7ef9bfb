// The declaration of a source: one file for each provider in this folder.
import type { SourceKind } from './port.ts';

export const sourceKind = (kind: SourceKind): SourceKind => kind;
