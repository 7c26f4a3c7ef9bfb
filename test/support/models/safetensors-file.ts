// Writes a safetensors file: a header in JSON with the place of each tensor, and the numbers behind it.

export interface WrittenTensor {
  readonly dtype: 'F64' | 'F32' | 'F16' | 'I8' | 'I64' | 'BOOL';
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

const halfBits = (value: number): number => {
  const sign = value < 0 ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size < 2 ** -14) return sign | Math.round(size * 2 ** 24);
  const exponent = Math.floor(Math.log2(size));
  return sign | ((exponent + 15) << 10) | Math.round((size / 2 ** exponent - 1) * 1024);
};

const BYTES = { F64: 8, F32: 4, F16: 2, I8: 1, I64: 8, BOOL: 1 } as const;

const WRITE: Readonly<Record<WrittenTensor['dtype'], (data: DataView, at: number, value: number) => void>> = {
  F64: (data, at, value) => data.setFloat64(at, value, true),
  F32: (data, at, value) => data.setFloat32(at, value, true),
  F16: (data, at, value) => data.setUint16(at, halfBits(value), true),
  I8: (data, at, value) => data.setInt8(at, value),
  I64: (data, at, value) => data.setBigInt64(at, BigInt(value), true),
  BOOL: (data, at, value) => data.setUint8(at, value),
};

const bytesOf = ({ dtype, values }: WrittenTensor): Uint8Array => {
  const size = BYTES[dtype];
  const bytes = new Uint8Array(values.length * size);
  const data = new DataView(bytes.buffer);
  for (const [at, value] of values.entries()) WRITE[dtype](data, at * size, value);
  return bytes;
};

export const safetensorsFile = (tensors: Readonly<Record<string, WrittenTensor>>): Buffer => {
  const header: Record<string, object> = { __metadata__: { format: 'pt' } };
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [name, written] of Object.entries(tensors)) {
    const bytes = bytesOf(written);
    header[name] = { dtype: written.dtype, shape: written.shape, data_offsets: [at, at + bytes.length] };
    parts.push(bytes);
    at += bytes.length;
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
};
