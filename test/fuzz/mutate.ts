// Files with a few things wrong with them, as bytes and, of office files, inside of their XML.
import { fromBufferPromise } from 'yauzl';
import { zip } from '../adapters/extract/fixtures/zip.ts';
import type { Random } from './random.ts';

const MOST_CHANGES = 12;
const LONGEST_PIECE = 2_000;
/** Numbers at which parsers stumble. */
const EDGES = [0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x0a, 0x22, 0x3c];

type Change = (bytes: Buffer, random: Random) => Buffer;

const changeByte: Change = (bytes, random) => {
  const changed = Buffer.from(bytes);
  const at = random.below(bytes.length);
  changed[at] = random.below(2) === 0 ? random.pick(EDGES) : random.below(256);
  return changed;
};

const changeNumber: Change = (bytes, random) => {
  if (bytes.length < 8) return bytes;
  const changed = Buffer.from(bytes);
  changed.writeUInt32LE(
    random.pick([0, 1, 0xffffffff, 0x7fffffff, 0x80000000, 65_536]),
    random.below(bytes.length - 4),
  );
  return changed;
};

const pieceOf = (bytes: Buffer, random: Random): Buffer => {
  const at = random.below(bytes.length);
  return bytes.subarray(at, at + 1 + random.below(LONGEST_PIECE));
};

const takeOut: Change = (bytes, random) => {
  const at = random.below(bytes.length);
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(LONGEST_PIECE))]);
};

const putIn: Change = (bytes, random) => {
  const at = random.below(bytes.length);
  return Buffer.concat([bytes.subarray(0, at), pieceOf(bytes, random), bytes.subarray(at)]);
};

const cutOff: Change = (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length));

const repeat: Change = (bytes, random) => {
  const piece = pieceOf(bytes, random);
  const at = random.below(bytes.length);
  const many = Buffer.concat(Array.from({ length: 1 + random.below(40) }, () => piece));
  return Buffer.concat([bytes.subarray(0, at), many, bytes.subarray(at)]);
};

/** Small changes more often than large ones. */
const CHANGES = [changeByte, changeByte, changeByte, changeNumber, takeOut, putIn, repeat, cutOff];

export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let changed = bytes;
  for (let left = 1 + random.below(MOST_CHANGES); left > 0 && changed.length > 1; left--)
    changed = random.pick(CHANGES)(changed, random);
  return changed;
}

export type Parts = Readonly<Record<string, Buffer>>;

export async function unpack(bytes: Buffer): Promise<Parts> {
  const archive = await fromBufferPromise(bytes, { lazyEntries: true, autoClose: false });
  const parts: Record<string, Buffer> = {};
  for await (const entry of archive.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    parts[entry.fileName] = Buffer.concat(chunks);
  }
  archive.close();
  return parts;
}

const TAG = /<(\/?)([\w:]+)([^<>]*)>/g;

/** Elements opened, closed, renamed, said twice or not at all, values of attributes that nobody expects. */
function mutateXml(xml: string, random: Random): string {
  const tags = [...xml.matchAll(TAG)];
  const tag = tags.length === 0 ? undefined : random.pick(tags);
  if (tag === undefined) return xml;
  const at = tag.index;
  const end = at + tag[0].length;
  const other = random.pick(tags)[0];
  const value = random.pick([
    '',
    '-1',
    '99999999999',
    'NaN',
    '&#0;',
    '&x;',
    'x'.repeat(1_000),
    '../../x',
    'rId1',
  ]);
  const replaced = random.pick([
    '',
    other,
    tag[0] + other,
    tag[0].repeat(1 + random.below(300)),
    tag[0].replace(/"[^"]*"/, `"${value}"`),
    `${tag[0]}<![CDATA[${value}]]>`,
    `${tag[0]}<!-- ${value.replaceAll('-', '')} -->`,
  ]);
  return xml.slice(0, at) + replaced + xml.slice(end);
}

export function mutateParts(parts: Parts, random: Random): Buffer {
  const changed: Record<string, Buffer> = { ...parts };
  const written = Object.keys(parts).filter((name) => /\.(?:xml|rels|opf|xhtml)$/.test(name));
  for (let left = 1 + random.below(MOST_CHANGES); left > 0; left--) {
    const name = random.pick(written);
    if (random.below(30) === 0) delete changed[name];
    else changed[name] = Buffer.from(mutateXml((changed[name] ?? Buffer.alloc(0)).toString(), random));
  }
  return zip(changed);
}
