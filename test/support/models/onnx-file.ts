// Writes ONNX files with tiny models. The format is protobuf: a field is its number and kind, then its value.

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

export const FLOAT = 1;
export const INT64 = 7;

/** An int64 of protobuf that is negative has ten bytes; the tiny models need none. */
const ATTRIBUTE_INT = 2;

export interface OnnxNode {
  readonly kind: string;
  readonly inputs: readonly string[];
  readonly output: string;
  readonly attributes?: Readonly<Record<string, number>>;
}

/** No size: one number. */
export interface OnnxTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

export interface OnnxValue {
  readonly name: string;
  readonly kind: typeof FLOAT | typeof INT64;
  /** A name for each free dimension. */
  readonly dims: readonly (string | number)[];
}

export interface OnnxGraph {
  readonly nodes: readonly OnnxNode[];
  readonly tensors: readonly OnnxTensor[];
  readonly inputs: readonly OnnxValue[];
  readonly outputs: readonly OnnxValue[];
}

/** NodeProto: input = 1, output = 2, op_type = 4, attribute = 5; AttributeProto: name = 1, i = 3, type = 20. */
const nodeField = ({ kind, inputs, output, attributes = {} }: OnnxNode): Buffer =>
  message(
    1,
    ...inputs.map((input) => bytes(1, input)),
    bytes(2, output),
    bytes(4, kind),
    ...Object.entries(attributes).map(([name, value]) =>
      message(5, bytes(1, name), number(3, value), number(20, ATTRIBUTE_INT)),
    ),
  );

/** TensorProto: dims = 1, data_type = 2, name = 8, raw_data = 9. */
const tensorField = ({ name, dims, values }: OnnxTensor): Buffer =>
  message(
    5,
    ...dims.map((size) => number(1, size)),
    number(2, values instanceof Float32Array ? FLOAT : INT64),
    bytes(8, name),
    bytes(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  );

/** ValueInfoProto: name = 1, type = 2. */
const valueField = (field: number, { name, kind, dims }: OnnxValue): Buffer =>
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

export const onnxFile = ({ nodes, tensors, inputs, outputs }: OnnxGraph): Buffer => {
  const graph = message(
    7,
    ...nodes.map(nodeField),
    bytes(2, 'tiny'),
    ...tensors.map(tensorField),
    ...inputs.map((input) => valueField(11, input)),
    ...outputs.map((output) => valueField(12, output)),
  );
  return Buffer.concat([number(1, 9), graph, message(8, number(2, 17))]);
};

/** Token numbers and masks, as the models get them. */
export const tokenInput = (name: string): OnnxValue => ({ name, kind: INT64, dims: ['batch', 'length'] });
