// A statement as the model of replacement compares it.
import { likenessesTo } from '../../../../lib/text/meanings/word-meanings.ts';
import { rootsOf } from '../../../../lib/text/terms/derivations.ts';
import { ANYBODY, type RuleFact, type Sketch } from '../language.ts';

export interface ComparedStatement {
  readonly fact: RuleFact;
  readonly sketch: Sketch;
  /** The keys of those whom its clauses are about. */
  readonly owners: readonly string[];
  /** How near its words are to each of the fields of life. */
  readonly fields: readonly number[];
}

/** A death is anybody's affair: the statement is about the one who died. */
const ownersOf = ({ more }: RuleFact, { about }: Sketch): string[] =>
  [about, ...more.flatMap(({ subject }) => subject ?? [])].filter((key) => key !== ANYBODY);

/** Fields of life; two statements of one field are likelier to be about the same. */
const FIELDS = [
  ['home house flat address city neighbourhood', 'rent landlord tenant mortgage'],
  ['job employer profession salary manager', 'office department colleague project deadline'],
  ['school university course exam teacher', 'grade pupil kindergarten'],
  ['wife husband boyfriend girlfriend wedding engaged divorce', 'daughter son baby niece grandmother'],
  ['dog cat pet horse', 'garden plant tree vegetable'],
  ['car truck vehicle', 'train bus bicycle commute', 'flight hotel trip holiday'],
  ['illness pain doctor surgery hospital', 'pill medication dose tablet', 'weight diet vegetarian meat food'],
  ['guitar piano choir orchestra concert', 'football tennis gym running marathon', 'book novel film series'],
  ['software server database programming', 'version release framework browser', 'password code phone email'],
  ['price fee cost euro dollar', 'meeting appointment schedule monday', 'broken repair leak boiler'],
  ['bank insurance contract subscription provider', 'shop customer supplier delivery'],
  ['president chairman treasurer captain director', 'colour size seat preference'],
].flat();
const likenessToFields = likenessesTo(() => FIELDS.map((words) => rootsOf(words)));

/** Kept with the sketch: a known statement is compared with many later ones. */
const fieldsBySketch = new WeakMap<Sketch, readonly number[]>();

const fieldsOfSketch = (sketch: Sketch): readonly number[] => {
  const fields = fieldsBySketch.get(sketch) ?? likenessToFields(sketch.words);
  fieldsBySketch.set(sketch, fields);
  return fields;
};

export const comparedOf = (fact: RuleFact, canonical: (key: string) => string): ComparedStatement | null => {
  const { sketch } = fact;
  if (sketch === null) return null;
  const owners = [...new Set(ownersOf(fact, sketch).map(canonical))];
  return { fact, sketch, owners, fields: fieldsOfSketch(sketch) };
};
