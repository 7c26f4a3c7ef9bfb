// An Office Open XML file: parts in an archive, and the relationships that lead from one to the next.
import { failure } from '../failures.ts';
import { type Archive, openArchive } from './archive.ts';
import { type Attributes, attribute, freshBudget, parseXml, type XmlHandlers } from './sax.ts';

export interface Relationship {
  readonly id: string;
  /** The last part of its type: "slide", "notesSlide". */
  readonly type: string;
  readonly target: string;
}

export interface OfficePackage {
  has(part: string): boolean;
  /** False where there is no such part. */
  parse(part: string, handlers: XmlHandlers, drain?: () => Promise<void>): Promise<boolean>;
  /** `part` "": of the package itself. */
  relationships(part: string): Promise<Relationship[]>;
  /** The part that the package is about. */
  main(otherwise: string): Promise<string>;
}

export async function withPackage<T>(
  file: string | null,
  use: (opened: OfficePackage) => Promise<T>,
): Promise<T> {
  if (file === null) throw failure('corrupt_file', { what: 'An office file cannot be sent as a text.' });
  const archive = await openArchive(file);
  try {
    return await use(packageOf(archive));
  } finally {
    archive.close();
  }
}

function packageOf(archive: Archive): OfficePackage {
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
        const one = name === 'Relationship' ? relationshipOf(attributes, folder) : null;
        if (one !== null) found.push(one);
      },
    });
    return found;
  };

  return {
    has: archive.has,
    parse,
    relationships,
    async main(otherwise) {
      const root = (await relationships('')).find(({ type }) => type === 'officeDocument');
      const part = root?.target ?? otherwise;
      if (!archive.has(part)) throw failure('corrupt_file', { cause: new Error(`There is no ${part}.`) });
      return part;
    },
  };
}

function relationshipOf(attributes: Attributes, folder: string): Relationship | null {
  const id = attribute(attributes, 'Id');
  const target = attribute(attributes, 'Target');
  if (id === undefined || target === undefined || attribute(attributes, 'TargetMode') === 'External')
    return null;
  const type = attribute(attributes, 'Type') ?? '';
  return { id, type: type.slice(type.lastIndexOf('/') + 1), target: resolved(target, folder) };
}

/** A target is relative to the folder of its part, or begins with a slash. */
function resolved(target: string, folder: string): string {
  const path = URL.parse(target, `package:/${folder}`)?.pathname.slice(1) ?? target;
  try {
    return decodeURIComponent(path);
  } catch {
    // A lone "%": then the name is meant as it stands.
    return path;
  }
}
