// The options that a caller gives a source, apart from metadata of its documents. A misspelled option would sync more than was
// meant, and a misspelled secret would be copied to every document.
import type { SourceKind, SourceValue } from '../../adapters/connect/port.ts';
import { noSuchOption } from './refusals.ts';

type Values = Readonly<Record<string, SourceValue>>;

export interface GivenOptions {
  /** As published: options of the source, and metadata of its documents beside them. */
  readonly metadata?: Values | null | undefined;
  /** Options alone. */
  readonly options?: Values | null | undefined;
}

/** Every other name is one of the metadata of documents. A choice between all and some is asked of every source. */
export const optionNames = ({ options }: SourceKind): readonly string[] =>
  options.includes('syncScope') ? options : [...options, 'syncScope'];

/** The characters of a name that may be wrong. A short name is near too many others, as host is to cost. */
const mostSlips = (option: string): number => (option.length > 7 ? 2 : option.length > 4 ? 1 : 0);

const bareName = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The number of characters that are left out, put in, replaced, or swapped with the next one. */
const slips = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
};

const meantOption = (name: string, known: readonly string[]): string | null => {
  const bare = bareName(name);
  const isMeant = (option: string): boolean => {
    const other = bareName(option);
    // A long name is far from being compared: nobody mistypes an option that much.
    if (Math.abs(bare.length - other.length) > 2) return false;
    return slips(bare, other) <= mostSlips(other);
  };
  return known.find(isMeant) ?? null;
};

/** Throws for an option that the source does not have, and for metadata whose name is nearly that of an option. */
export const joinedOptions = (kind: SourceKind, { metadata, options }: GivenOptions): Values => {
  const known = optionNames(kind);
  for (const [given, strict] of [
    [options, true],
    [metadata, false],
  ] as const)
    for (const name of Object.keys(given ?? {})) {
      if (known.includes(name)) continue;
      const meant = meantOption(name, known);
      if (strict || meant !== null) throw noSuchOption({ ...kind, options: known }, name, meant);
    }
  return { ...metadata, ...options };
};
