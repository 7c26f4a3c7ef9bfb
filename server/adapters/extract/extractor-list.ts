// The declared extractors, by the kind of content that they read.

import type { ExtractedKind } from './content-kinds.generated.ts';
import type { Extractor, KindDeclaration } from './contract.ts';
import { extractors } from './kinds/index.generated.ts';

/** Every kind with its declaration, in the order of the files in kinds/. */
export const declaredKinds: readonly (readonly [ExtractedKind, KindDeclaration])[] = extractors.flatMap(
  ({ kinds }) => Object.entries(kinds) as [ExtractedKind, KindDeclaration][],
);

const declarations = new Map<ExtractedKind, KindDeclaration>(declaredKinds);

const owners = new Map(
  extractors.flatMap((extractor) => Object.keys(extractor.kinds).map((kind) => [kind, extractor] as const)),
);

const missingDeclaration = (kind: string): never => {
  throw new Error(`No extractor declares the kind "${kind}". Run "npm run generate".`);
};

export const declarationOf = (kind: ExtractedKind): KindDeclaration =>
  declarations.get(kind) ?? missingDeclaration(kind);

export const extractorOf = (kind: ExtractedKind): Extractor => owners.get(kind) ?? missingDeclaration(kind);
