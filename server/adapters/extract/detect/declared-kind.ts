// The kind of text that a file name or a declared media type stands for.

import type { TextKind } from '../content-kinds.generated.ts';
import { declaredKinds } from '../extractor-list.ts';

export interface DeclaredNames {
  readonly fileName?: string | undefined;
  readonly mimeType?: string | undefined;
  readonly url?: string | undefined;
}

type DeclaredKind = (typeof declaredKinds)[number];

const isTextKind = (declared: DeclaredKind): declared is readonly [TextKind, DeclaredKind[1]] =>
  declared[1].isText === true;

const textKinds = declaredKinds.filter(isTextKind);

const byEnding = new Map(
  textKinds.flatMap(([kind, { detect }]) =>
    (detect.endings ?? '').split(' ').map((ending) => [ending, kind] as const),
  ),
);
byEnding.delete('');

const byType = new Map(
  textKinds.flatMap(([kind, { detect }]) =>
    (detect.declaredTypes ?? []).map((type) => [type, kind] as const),
  ),
);

/** Null where neither the name nor the declared type is known. */
export const declaredKind = ({ fileName, mimeType, url }: DeclaredNames): TextKind | null => {
  const name = fileName ?? lastOfPath(url);
  const ending = /([^./\\]{1,12})$/.exec(name.toLowerCase())?.[1] ?? '';
  const declared = (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return byEnding.get(ending) ?? byType.get(declared) ?? null;
};

const lastOfPath = (url: string | undefined): string => {
  const path = url === undefined ? '' : (URL.parse(url)?.pathname ?? '');
  // A bare domain ends in letters too, and says nothing about its content.
  return path.slice(path.lastIndexOf('/') + 1);
};
