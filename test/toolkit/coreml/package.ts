import type { CoreMLPackage } from '../../../src/tools/index.js';

/** Fields of a message of protobuf, by their numbers: whole numbers, or bytes. */
type Fields = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

function fieldsIn(bytes: Uint8Array): Fields {
  const fields = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error('a number goes beyond the message');
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return Number(BigInt.asIntN(64, value));
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const values = fields.get(key >> 3) ?? [];
    fields.set(key >> 3, values);
    if ((key & 7) === 0) values.push(varint());
    else if ((key & 7) === 2) {
      const length = varint();
      if (at + length > bytes.length) throw new Error('a field goes beyond the message');
      values.push(bytes.subarray(at, at + length));
      at += length;
    } else throw new Error(`wire type ${key & 7}`);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((bytes) => fieldsIn(bytes as Uint8Array));
const message = (fields: Fields, ...path: number[]): Fields =>
  path.reduce((inner, number) => messages(inner, number)[0] ?? new Map(), fields);
const text = (fields: Fields, number: number): string =>
  new TextDecoder().decode(fields.get(number)?.[0] as Uint8Array | undefined);
const whole = (fields: Fields, number: number): number => (fields.get(number)?.[0] as number | undefined) ?? 0;

const TYPES: Readonly<Record<number, string>> = { 1: 'bool', 2: 'string', 11: 'fp32', 23: 'int32' };

export interface Value {
  readonly name: string;
  readonly type: string;
  readonly dims: readonly number[];
}

export interface Operation {
  readonly type: string;
  readonly inputs: Readonly<Record<string, readonly string[]>>;
  readonly outputs: readonly Value[];
  /** Where a constant lies in the file of weights. */
  readonly offset?: number;
}

/** NamedValueType of MIL.proto. */
function valueIn(fields: Fields): Value {
  const tensor = message(fields, 2, 1);
  const dims = messages(tensor, 3).map((dimension) => whole(message(dimension, 1), 1));
  if (whole(tensor, 2) !== dims.length) throw new Error('a rank that is another than that of dims');
  return { name: text(fields, 1), type: TYPES[whole(tensor, 1)] ?? '?', dims };
}

function operationIn(fields: Fields): Operation {
  const inputs = messages(fields, 2).map((entry) => [
    text(entry, 1),
    messages(message(entry, 2), 1).map((binding) => text(binding, 1)),
  ]);
  const value = messages(fields, 5).find((entry) => text(entry, 1) === 'val');
  const file = value && messages(message(value, 2), 5)[0];
  return {
    type: text(fields, 1),
    inputs: Object.fromEntries(inputs),
    outputs: messages(fields, 3).map(valueIn),
    ...(file && { offset: whole(file, 2) }),
  };
}

/** What a package says, by https://github.com/apple/coremltools/tree/main/mlmodel/format */
export function opened(files: CoreMLPackage) {
  const manifest = JSON.parse(new TextDecoder().decode(files.get('Manifest.json')));
  const root = manifest.itemInfoEntries[manifest.rootModelIdentifier];
  const model = fieldsIn(files.get(`Data/${root.path}`) as Uint8Array);
  const program = message(model, 502);
  const [main] = messages(program, 2).filter((entry) => text(entry, 1) === 'main');
  const own = message(main as Fields, 2);
  const [specialization] = messages(own, 3);
  const block = message(specialization as Fields, 2);
  const description = message(model, 2);
  const feature = (fields: Fields) => ({
    name: text(fields, 1),
    dims: [...((message(fields, 3, 5).get(1)?.[0] as Uint8Array | undefined) ?? [])],
    type: whole(message(fields, 3, 5), 2),
  });
  return {
    manifest,
    specification: whole(model, 1),
    version: whole(program, 1),
    opsets: [text(own, 2), text(specialization as Fields, 1)],
    inputs: messages(own, 1).map(valueIn),
    outputs: (block.get(2) ?? []).map((bytes) => new TextDecoder().decode(bytes as Uint8Array)),
    operations: messages(block, 3).map(operationIn),
    features: { inputs: messages(description, 1).map(feature), outputs: messages(description, 10).map(feature) },
    weights: files.get('Data/com.apple.CoreML/weights/weight.bin') as Uint8Array,
  };
}
