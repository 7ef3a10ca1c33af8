import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as messages from '../../build/onnx.js';
import { encodeExactly } from '../../src/model/document/encode.js';

/** Messages of our own tables beside protobufjs' reflection on the schema. */
const test = suite('messages made of a table');

/** The schema's fields have no defaults that are made by more of the package `long` than readers need. */
const { Long } = protobuf.util;
Object.assign(protobuf.util, { Long: undefined });
const schema = protobuf.parse(readFileSync('src/model/onnx.proto', 'utf8'), { keepCase: false }).root.resolveAll();
Object.assign(protobuf.util, { Long });
const TYPES = schema.nestedArray.filter((type): type is protobuf.Type => type instanceof protobuf.Type);

interface Codec {
  decode(bytes: Uint8Array): object;
  encode(message: object): { finish(): Uint8Array };
}
const codecOf = ({ name }: protobuf.Type): Codec => (messages as unknown as Record<string, Codec>)[name] as Codec;

let seed = 1;
function below(limit: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor((seed / 2 ** 32) * limit);
}

const SCALARS: Readonly<Record<string, () => unknown>> = {
  string: () => ['', 'x', 'größer', '\u{1f600}'][below(4)],
  bytes: () => Uint8Array.from({ length: below(4) }, () => below(256)),
  float: () => [0, -0, 1.5, Number.NaN, -Infinity][below(5)],
  double: () => [0, -0, 0.1, 1e300, Number.NaN][below(5)],
  int32: () => [0, 1, -1, 2 ** 31 - 1, -(2 ** 31)][below(5)],
  int64: () => [0, 127, 128, -1, 2 ** 53 - 1, -(2 ** 40)][below(6)],
  uint64: () => [0, 300, 2 ** 53 - 1][below(3)],
};

function valueIn({ type, resolvedType }: protobuf.Field, depth: number): unknown {
  if (resolvedType instanceof protobuf.Type) return objectOf(resolvedType, depth + 1);
  if (resolvedType instanceof protobuf.Enum) return Object.values(resolvedType.values)[below(2)];
  return SCALARS[type]?.();
}

/** A message of which each field is set or is not, as chance has it; of a `oneof`, one. */
function objectOf(type: protobuf.Type, depth = 0): object {
  const fields = type.fieldsArray.filter(({ resolvedType }) => !(resolvedType instanceof protobuf.Type) || depth < 3);
  const chosen = fields.filter(() => below(3) > 0);
  const isFirst = (field: protobuf.Field) => chosen.find(({ partOf }) => partOf === field.partOf) === field;
  const set = chosen.filter((field) => !field.partOf || isFirst(field)).map((field) => field.resolve());
  return Object.fromEntries(
    set.map((field) => [
      field.name,
      field.repeated ? Array.from({ length: below(4) }, () => valueIn(field, depth)) : valueIn(field, depth),
    ]),
  );
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

for (const type of TYPES)
  test(type.name, () => {
    for (let i = 0; i < 40; i++) {
      const bytes = type.encode(objectOf(type)).finish();
      const message = codecOf(type).decode(bytes);
      assert.ok(hex(type.encode(message).finish()) === hex(bytes), 'what was read');
      assert.ok(hex(codecOf(type).encode(message).finish()) === hex(bytes), 'what was written');
      assert.ok(hex(encodeExactly(codecOf(type) as never, message)) === hex(bytes), 'what was written in parts');
    }
  });

/** What the witness writes of a message that was read, or why it was refused. */
function outcome(read: () => object): string {
  try {
    return hex(schema.lookupType('ModelProto').encode(read()).finish());
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

test('bytes that were damaged are read or refused alike', () => {
  const type = schema.lookupType('ModelProto');
  let refused = 0;
  for (let i = 0; i < 1000; i++) {
    const bytes = Uint8Array.from(type.encode(objectOf(type)).finish());
    for (let k = below(4); k >= 0; k--) bytes[below(bytes.length)] = below(256);
    const ours = outcome(() => messages.ModelProto.decode(bytes));
    assert.ok(ours === outcome(() => type.decode(bytes)), `model ${i}`);
    if (ours.startsWith('refused')) refused++;
  }
  assert.ok(refused > 50 && refused < 950, `${refused} of 1000 refused`);
});

test.run();
