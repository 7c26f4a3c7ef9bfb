// An Office Open XML file: parts in an archive, and the relationships from one part to another.
import { type Archive, withArchive } from '../containers/zip.ts';
import { failure } from '../failures.ts';
import { type Attributes, attribute, freshBudget, parseXml, type XmlHandlers } from './sax.ts';

export interface Relationship {
  readonly id: string;
  /** The last part of its type: "slide", "notesSlide". */
  readonly type: string;
  readonly target: string;
}

export interface OfficePackage {
  /** False where there is no such part. */
  parse(part: string, handlers: XmlHandlers, drain?: () => Promise<void>): Promise<boolean>;
  /** `part` "": of the package itself. */
  relationships(part: string): Promise<Relationship[]>;
  /** The main part of the package. */
  main(fallback: string): Promise<string>;
}

export const withPackage = <T>(file: string | null, use: (opened: OfficePackage) => Promise<T>): Promise<T> =>
  withArchive(file, (archive) => use(openOfficePackage(archive)));

const openOfficePackage = (archive: Archive): OfficePackage => {
  const budget = freshBudget();

  const parse: OfficePackage['parse'] = async (part, handlers, drain) => {
    if (!archive.has(part)) return false;
    await parseXml(await archive.open(part), handlers, budget, drain);
    return true;
  };

  const relationships: OfficePackage['relationships'] = async (part) => {
    const folder = part.slice(0, part.lastIndexOf('/') + 1);
    const found: Relationship[] = [];
    await parse(`${folder}_rels/${part.slice(folder.length)}.rels`, {
      open(name, attributes) {
        const one = name === 'Relationship' ? readRelationship(attributes, folder) : null;
        if (one !== null) found.push(one);
      },
    });
    return found;
  };

  return {
    parse,
    relationships,
    async main(fallback) {
      const root = (await relationships('')).find(({ type }) => type === 'officeDocument');
      const part = root?.target ?? fallback;
      if (!archive.has(part)) throw failure('corrupt_file', { cause: new Error(`There is no ${part}.`) });
      return part;
    },
  };
};

const readRelationship = (attributes: Attributes, folder: string): Relationship | null => {
  const id = attribute(attributes, 'Id');
  const target = attribute(attributes, 'Target');
  if (id === undefined || target === undefined || attribute(attributes, 'TargetMode') === 'External')
    return null;
  const type = attribute(attributes, 'Type') ?? '';
  return { id, type: type.slice(type.lastIndexOf('/') + 1), target: partPath(target, folder) };
};

/** A target is relative to the folder of its part, or begins with a slash. */
export const partPath = (target: string, folder: string): string => {
  const path = URL.parse(target, `package:/${folder}`)?.pathname.slice(1) ?? target;
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone "%" stands for itself.
    return path;
  }
};
