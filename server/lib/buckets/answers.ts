// Reads the XML answers of an S3-compatible service: the reason of a refusal, and a page of a list.
import { Parser } from 'htmlparser2';

export interface ListedObject {
  readonly name: string;
  /** The time of its last change, as the service tells it. */
  readonly changedAt: number;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Null: this is the last page. */
  readonly next: string | null;
}

/** Calls `text` for each element that holds text, and `end` after each element. */
const readXml = (xml: string, text: (name: string, value: string) => void, end: (name: string) => void) => {
  let value = '';
  const parser = new Parser(
    {
      onopentag: () => {
        value = '';
      },
      ontext: (piece) => {
        value += piece;
      },
      onclosetag: (name) => {
        text(name, value);
        value = '';
        end(name);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.end(xml);
};

/** The code of a refusal, as in "NoSuchBucket"; empty if the answer has none. */
export const refusalCode = (xml: string): string => {
  let code = '';
  readXml(
    xml,
    (name, value) => {
      if (name === 'Code' && code === '') code = value.trim();
    },
    () => undefined,
  );
  return code;
};

export const listedPage = (xml: string): ListedPage => {
  const objects: ListedObject[] = [];
  let [name, changed, next] = ['', '', ''];
  readXml(
    xml,
    (element, value) => {
      if (element === 'Key') name = decodeURIComponent(value.replaceAll('+', ' '));
      if (element === 'LastModified') changed = value;
      if (element === 'NextContinuationToken') next = value;
    },
    (element) => {
      if (element === 'Contents') objects.push({ name, changedAt: Date.parse(changed) });
    },
  );
  return { objects, next: next === '' ? null : next };
};
