// Draws the faults of a run: by area, by seed, and never two in one statement.
import { type SourceFile, sourceFiles } from '../../scripts/source/parse.ts';
import { type Chance, chanceOf } from '../adapters/store/contract/chance.ts';
import { type Area, areas, isIn } from './areas.ts';
import { isParsed, type Mutant, mutantsOf, operators } from './operators.ts';

export interface DrawOptions {
  readonly seed: number;
  /** For each area. */
  readonly most: number;
  /** Only this area. */
  readonly area?: string;
  /** Only files whose path contains this. */
  readonly only?: string;
}

export interface Drawn {
  readonly area: Area;
  readonly file: SourceFile;
  readonly mutant: Mutant;
}

const takeOne = <T>(from: T[], chance: Chance): T | undefined => from.splice(chance.below(from.length), 1)[0];

/** First the operator, then the place: else the most frequent operator would take nearly all. */
const drawIn = (files: readonly SourceFile[], most: number, chance: Chance) => {
  const byOperator = new Map(
    operators.map(({ name }) => [name, [] as { file: SourceFile; mutant: Mutant }[]]),
  );
  for (const file of files)
    for (const mutant of mutantsOf(file)) byOperator.get(mutant.operator)?.push({ file, mutant });
  const drawn: { file: SourceFile; mutant: Mutant }[] = [];
  const lines = new Set<string>();
  while (drawn.length < most) {
    const left = [...byOperator.values()].filter((found) => found.length > 0);
    const found = takeOne(chance.pick(left) ?? [], chance);
    if (found === undefined) break;
    const place = `${found.mutant.path}:${found.mutant.line}`;
    if (lines.has(place) || !isParsed(found.file, found.mutant)) continue;
    lines.add(place);
    drawn.push(found);
  }
  return drawn;
};

export const drawMutants = ({ seed, most, area: wanted, only = '' }: DrawOptions): Drawn[] => {
  const files = sourceFiles('server').filter(({ path }) => path.includes(only));
  return areas.flatMap((area, at) => {
    if (wanted !== undefined && area.name !== wanted) return [];
    const inside = isIn(area.places);
    const own = files.filter(({ path }) => inside(path) && !/\/(ports|tables|migrations)\//.test(path));
    return drawIn(own, most, chanceOf(seed * 31 + at)).map((drawn) => ({ ...drawn, area }));
  });
};
