// Reads the XML answers of an S3-compatible service: the reason of a refusal, and a page of a list.
export interface ListedObject {
  readonly name: string;
  /** The time of its last change, as the service tells it. */
  readonly changedAt: number;
  readonly bytes: number;
  /** A fingerprint of the content, as the service computes it. */
  readonly etag: string;
  /** As in STANDARD or GLACIER. */
  readonly storageClass: string;
}

export interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** Null: this is the last page. */
  readonly next: string | null;
}

/** Calls `text` for each element that holds text, and `end` after each element. Most servers have no bucket and load no parser. */
const readXml = async (
  xml: string,
  text: (name: string, value: string) => void,
  end: (name: string) => void,
): Promise<void> => {
  const { Parser } = await import('htmlparser2');
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
export const refusalCode = async (xml: string): Promise<string> => {
  let code = '';
  await readXml(
    xml,
    (name, value) => {
      if (name === 'Code' && code === '') code = value.trim();
    },
    () => undefined,
  );
  return code;
};

const listedObject = ({
  Key = '',
  LastModified = '',
  Size = '0',
  ETag = '',
  StorageClass = 'STANDARD',
}: Record<string, string>): ListedObject => ({
  name: decodeURIComponent(Key.replaceAll('+', ' ')),
  changedAt: Date.parse(LastModified),
  bytes: Number(Size),
  etag: ETag.replaceAll('"', ''),
  storageClass: StorageClass,
});

export const listedPage = async (xml: string): Promise<ListedPage> => {
  const objects: ListedObject[] = [];
  let next = '';
  let fields: Record<string, string> = {};
  await readXml(
    xml,
    (element, value) => {
      if (element === 'NextContinuationToken') next = value;
      else fields[element] = value;
    },
    (element) => {
      if (element !== 'Contents') return;
      objects.push(listedObject(fields));
      fields = {};
    },
  );
  return { objects, next: next === '' ? null : next };
};
