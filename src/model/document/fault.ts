import type { LeftFile } from './left-bytes.js';

/** The place where a file stops being a protobuf message, and the reason. */
export interface Fault {
  /** Bytes from the start of the file. */
  readonly offset: number;
  /** The path of the message, such as `graph.node[3].attribute[0]`; '' for the model itself. */
  readonly path: string;
  readonly reason: string;
}

type Fields = Readonly<Record<number, readonly [name: string, of: Kind]>>;
type Kind = keyof typeof MESSAGES;

/** Nested messages by field number; `[]` marks lists. https://github.com/onnx/onnx/blob/main/onnx/onnx.proto */
const MESSAGES = {
  Model: {
    7: ['graph', 'Graph'],
    8: ['opset_import[]', 'Leaf'],
    14: ['metadata_props[]', 'Leaf'],
    20: ['training_info[]', 'Training'],
    25: ['functions[]', 'Function'],
    26: ['configuration[]', 'Leaf'],
  },
  Graph: {
    1: ['node[]', 'Node'],
    5: ['initializer[]', 'Tensor'],
    11: ['input[]', 'ValueInfo'],
    12: ['output[]', 'ValueInfo'],
    13: ['value_info[]', 'ValueInfo'],
    14: ['quantization_annotation[]', 'Annotation'],
    15: ['sparse_initializer[]', 'SparseTensor'],
    16: ['metadata_props[]', 'Leaf'],
  },
  Node: {
    5: ['attribute[]', 'Attribute'],
    9: ['metadata_props[]', 'Leaf'],
    10: ['device_configurations[]', 'Leaf'],
  },
  Function: {
    7: ['node[]', 'Node'],
    9: ['opset_import[]', 'Leaf'],
    11: ['attribute_proto[]', 'Attribute'],
    12: ['value_info[]', 'ValueInfo'],
    14: ['metadata_props[]', 'Leaf'],
  },
  Attribute: {
    5: ['t', 'Tensor'],
    6: ['g', 'Graph'],
    10: ['tensors[]', 'Tensor'],
    11: ['graphs[]', 'Graph'],
    14: ['tp', 'Type'],
    15: ['type_protos[]', 'Type'],
    22: ['sparse_tensor', 'SparseTensor'],
    23: ['sparse_tensors[]', 'SparseTensor'],
  },
  Tensor: { 3: ['segment', 'Leaf'], 13: ['external_data[]', 'Leaf'], 16: ['metadata_props[]', 'Leaf'] },
  SparseTensor: { 1: ['values', 'Tensor'], 2: ['indices', 'Tensor'] },
  ValueInfo: { 2: ['type', 'Type'], 4: ['metadata_props[]', 'Leaf'] },
  Type: {
    1: ['tensor_type', 'Shaped'],
    4: ['sequence_type', 'Container'],
    5: ['map_type', 'Map'],
    7: ['opaque_type', 'Leaf'],
    8: ['sparse_tensor_type', 'Shaped'],
    9: ['optional_type', 'Container'],
  },
  Shaped: { 2: ['shape', 'Shape'] },
  Container: { 1: ['elem_type', 'Type'] },
  Map: { 2: ['value_type', 'Type'] },
  Shape: { 1: ['dim[]', 'Leaf'] },
  Annotation: { 2: ['quant_parameter_tensor_names[]', 'Leaf'] },
  Training: {
    1: ['initialization', 'Graph'],
    2: ['algorithm', 'Graph'],
    3: ['initialization_binding[]', 'Leaf'],
    4: ['update_binding[]', 'Leaf'],
  },
  Leaf: {},
} as const satisfies Readonly<Record<string, Readonly<Record<number, readonly [string, string]>>>>;

const WINDOW = 65536;
/** Depth of nested messages that readers accept. */
const DEPTH = 100;

class Found extends Error {
  constructor(readonly fault: Fault) {
    super(fault.reason);
  }
}

/** The first fault of a file that is not a valid model, if one is found. */
export async function faultIn(file: LeftFile): Promise<Fault | undefined> {
  const reading = { at: 0, byte: windowed(file) };
  try {
    await walk(reading, { kind: 'Model', path: '', begin: 0, end: file.size, depth: 0 });
    return undefined;
  } catch (error) {
    if (error instanceof Found) return error.fault;
    throw error;
  }
}

interface Reading {
  at: number;
  readonly byte: (offset: number) => number | Promise<number>;
}

interface Place {
  readonly kind: Kind;
  readonly path: string;
  readonly begin: number;
  readonly end: number;
  readonly depth: number;
}

/** Returns a function that reads single bytes of a file through a window. */
function windowed({ size, range }: LeftFile): Reading['byte'] {
  let start = 0;
  let window = new Uint8Array();
  const refill = async (offset: number) => {
    window = Uint8Array.from(await range(offset, Math.min(offset + WINDOW, size)));
    start = offset;
    return window[0] as number;
  };
  return (offset) => window[offset - start] ?? refill(offset);
}

function refuse(offset: number, path: string, reason: string): never {
  throw new Found({ offset, path, reason });
}

async function walk(reading: Reading, place: Place): Promise<void> {
  const { kind, path, end, depth } = place;
  if (depth > DEPTH) refuse(reading.at, path, `messages are nested more than ${DEPTH} deep`);
  const counts = new Map<number, number>();
  while (reading.at < end) {
    const begin = reading.at;
    const tag = await varint(reading, place);
    const [field, wire] = [Math.floor(tag / 8), tag % 8];
    if (field === 0) refuse(begin, path, 'field number 0 is invalid');
    if (wire !== 2) {
      await skip(reading, place, wire, begin);
      continue;
    }
    const inner = await delimited(reading, place);
    const [name, of] = (MESSAGES[kind] as Fields)[field] ?? [];
    const count = counts.get(field) ?? 0;
    counts.set(field, count + 1);
    if (name === undefined || of === undefined) reading.at = inner;
    else await walk(reading, { kind: of, path: joined(path, name, count), begin, end: inner, depth: depth + 1 });
  }
}

const joined = (path: string, name: string, count: number): string =>
  `${path && `${path}.`}${name.replace('[]', `[${count}]`)}`;

async function varint(reading: Reading, { path, end }: Place): Promise<number> {
  const begin = reading.at;
  let value = 0;
  for (let i = 0; i < 10; i++) {
    if (reading.at >= end) refuse(begin, path, `a number extends past byte ${end}, the end of its message`);
    const byte = await reading.byte(reading.at++);
    value += (byte % 128) * 128 ** i;
    if (byte < 128) return value;
  }
  return refuse(begin, path, 'a number is longer than 10 bytes');
}

/** Reads the length of a field, and returns its end. */
async function delimited(reading: Reading, place: Place): Promise<number> {
  const begin = reading.at;
  const length = await varint(reading, place);
  const left = place.end - reading.at;
  if (length > left) refuse(begin, place.path, `a field declares ${length} bytes, but only ${left} are left`);
  return reading.at + length;
}

const FIXED: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

async function skip(reading: Reading, place: Place, wire: number, begin: number): Promise<void> {
  const fixed = FIXED[wire];
  if (wire === 0) await varint(reading, place);
  else if (fixed === undefined) refuse(begin, place.path, `models have no fields of wire type ${wire}`);
  else if (fixed > place.end - reading.at)
    refuse(begin, place.path, `a number needs ${fixed} bytes, but only ${place.end - reading.at} are left`);
  else reading.at += fixed;
}
