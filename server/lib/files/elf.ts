// Shared libraries in ELF form (64 bit, little endian): the part that the system loads, without debug sections.

const MAGIC = 0x7f454c46;
const PROGRAM_HEADERS_AT = 32;
const SECTION_HEADERS_AT = 40;
const PROGRAM_HEADER_SIZE_AT = 54;
const PROGRAM_HEADER_COUNT_AT = 56;
const SECTION_HEADER_COUNT_AT = 60;
const SECTION_NAMES_AT = 62;

/** The length of the part that holds every segment; the program headers must lie in `head`. */
export const loadedLength = (head: Buffer): number => {
  const is64BitLittleEndian = head.length > 64 && head[4] === 2 && head[5] === 1;
  if (!is64BitLittleEndian || head.readUInt32BE(0) !== MAGIC)
    throw new Error('the file is no 64-bit ELF library');
  const start = Number(head.readBigUInt64LE(PROGRAM_HEADERS_AT));
  const size = head.readUInt16LE(PROGRAM_HEADER_SIZE_AT);
  const count = head.readUInt16LE(PROGRAM_HEADER_COUNT_AT);
  if (start + size * count > head.length) throw new Error('the program headers lie too far back');
  let end = start + size * count;
  for (let at = start; at < start + size * count; at += size)
    end = Math.max(end, Number(head.readBigUInt64LE(at + 8) + head.readBigUInt64LE(at + 32)));
  return end;
};

/** A copy whose header names no sections: the loader does not need them. */
export const withoutSections = (library: Buffer): Buffer => {
  const copy = Buffer.from(library);
  copy.writeBigUInt64LE(0n, SECTION_HEADERS_AT);
  copy.writeUInt16LE(0, SECTION_HEADER_COUNT_AT);
  copy.writeUInt16LE(0, SECTION_NAMES_AT);
  return copy;
};
