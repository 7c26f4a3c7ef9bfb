// Writes an ONNX file with the smallest model that embeds texts: each token has a vector, and nothing is computed.
// The format is protobuf: a field is its number and kind, then its value.

const VARINT = 0;
const BYTES = 2;

const varint = (value: number): Buffer => {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
};

const number = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8 + VARINT), varint(value)]);
const bytes = (field: number, value: Buffer | string): Buffer =>
  Buffer.concat([varint(field * 8 + BYTES), varint(Buffer.byteLength(value)), Buffer.from(value)]);
const message = (field: number, ...parts: readonly Buffer[]): Buffer => bytes(field, Buffer.concat(parts));

const FLOAT = 1;
const INT64 = 7;

/** TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9. */
const tensor = (field: number, name: string, dims: readonly number[], values: Float32Array): Buffer =>
  message(
    field,
    ...dims.map((size) => number(1, size)),
    number(2, FLOAT),
    bytes(8, name),
    bytes(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  );

/** ValueInfoProto with a name for each free dimension. */
const value = (field: number, name: string, kind: number, dims: readonly (string | number)[]): Buffer =>
  message(
    field,
    bytes(1, name),
    message(
      2,
      message(
        1,
        number(1, kind),
        message(
          2,
          ...dims.map((dim) => message(1, typeof dim === 'number' ? number(1, dim) : bytes(2, dim))),
        ),
      ),
    ),
  );

/** NodeProto: input = 1, output = 2, op_type = 4. */
const node = (kind: string, inputs: readonly string[], output: string): Buffer =>
  message(1, ...inputs.map((input) => bytes(1, input)), bytes(2, output), bytes(4, kind));

/** `vectors`: one for each token, one after the other. */
export const onnxFile = (vectors: Float32Array, dimensions: number): Buffer => {
  const tokens = vectors.length / dimensions;
  const graph = message(
    7,
    node('Gather', ['vectors', 'input_ids'], 'last_hidden_state'),
    node('Identity', ['attention_mask'], 'mask'),
    bytes(2, 'tiny'),
    tensor(5, 'vectors', [tokens, dimensions], vectors),
    value(11, 'input_ids', INT64, ['batch', 'length']),
    value(11, 'attention_mask', INT64, ['batch', 'length']),
    value(12, 'last_hidden_state', FLOAT, ['batch', 'length', dimensions]),
    value(12, 'mask', INT64, ['batch', 'length']),
  );
  return Buffer.concat([number(1, 9), graph, message(8, number(2, 17))]);
};
