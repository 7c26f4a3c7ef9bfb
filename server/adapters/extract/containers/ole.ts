// Old Office files are small file systems (OLE): the names of their streams tell their kind.

export type OleKind = 'doc' | 'xls' | 'ppt' | 'msg' | 'encrypted' | 'other' | 'corrupt';

const SIGNATURE = 0xd0cf11e0;
/** Larger sector numbers are marks: free, end of a chain, part of the table. */
const LAST_SECTOR = 0xfffffffa;
const HEADER_FAT_ENTRIES = 109;
const ENTRY_BYTES = 128;
/** Smaller streams are stored in another place. */
const SMALLEST_STREAM = 4_096;
const MOST_SECTORS = 4_096;

export const isOle = (bytes: Buffer): boolean => bytes.length >= 8 && bytes.readUInt32BE(0) === SIGNATURE;

export const oleKind = (bytes: Buffer): OleKind => {
  const directory = readDirectory(bytes);
  if (directory === null || directory.size === 0) return 'corrupt';
  const names = [...directory.keys()];
  if (directory.has('EncryptedPackage')) return 'encrypted';
  if (directory.has('WordDocument'))
    return isEncryptedWord(bytes, directory.get('WordDocument') ?? null) ? 'encrypted' : 'doc';
  if (directory.has('Workbook') || directory.has('Book')) return 'xls';
  if (directory.has('PowerPoint Document')) return 'ppt';
  return names.some((name) => /^__(?:substg1\.0_|properties_version)/.test(name)) ? 'msg' : 'other';
};

/** The name of each stream, with the offset of its first byte when it is not a small one. */
const readDirectory = (bytes: Buffer): Map<string, number | null> | null => {
  if (bytes.length < 512) return null;
  const shift = bytes.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return null;
  const sectorBytes = 1 << shift;
  const offsetOf = (sector: number): number => (sector + 1) * sectorBytes;
  const next = sectorChain(bytes, sectorBytes, offsetOf);
  const found = new Map<string, number | null>();
  let sector = bytes.readUInt32LE(48);
  for (let hops = 0; sector < LAST_SECTOR && hops < MOST_SECTORS; hops++) {
    const at = offsetOf(sector);
    if (at + sectorBytes > bytes.length) break;
    for (let entry = at; entry < at + sectorBytes; entry += ENTRY_BYTES) {
      const nameBytes = bytes.readUInt16LE(entry + 64);
      if (nameBytes <= 2 || nameBytes > 64) continue;
      const name = bytes.toString('utf16le', entry, entry + nameBytes - 2);
      const large = bytes.readUInt32LE(entry + 120) >= SMALLEST_STREAM;
      found.set(name, large ? offsetOf(bytes.readUInt32LE(entry + 116)) : null);
    }
    sector = next(sector);
  }
  return found;
};

/** Maps a sector to the next one. The header names 109 sectors of the table, enough for the first 7 MB. */
const sectorChain = (
  bytes: Buffer,
  sectorBytes: number,
  offsetOf: (sector: number) => number,
): ((sector: number) => number) => {
  const table: number[] = [];
  for (let i = 0; i < HEADER_FAT_ENTRIES; i++) {
    const sector = bytes.readUInt32LE(76 + i * 4);
    if (sector < LAST_SECTOR) table.push(sector);
  }
  const entries = sectorBytes / 4;
  return (sector) => {
    const part = table[Math.floor(sector / entries)];
    if (part === undefined) return LAST_SECTOR;
    const at = offsetOf(part) + (sector % entries) * 4;
    return at + 4 <= bytes.length ? bytes.readUInt32LE(at) : LAST_SECTOR;
  };
};

/** The header of a Word document has a flag for encryption. */
const isEncryptedWord = (bytes: Buffer, at: number | null): boolean => {
  if (at === null || at + 12 > bytes.length) return false;
  return bytes.readUInt16LE(at) === 0xa5ec && (bytes.readUInt16LE(at + 10) & 0x0100) !== 0;
};
