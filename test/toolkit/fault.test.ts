import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { SardonyxError } from '../../src/base/errors.js';
import { loadModel } from '../../src/tools/index.js';

const test = suite('toolkit/faults of files');

const proto = {
  irVersion: 10,
  opsetImport: [{ domain: '', version: 21 }],
  graph: {
    name: 'g',
    node: [
      { opType: 'Relu', input: ['x'], output: ['y'] },
      { opType: 'Elu', input: ['y'], output: ['z'], attribute: [{ name: 'alpha', type: 1, f: 0.25 }] },
    ],
    initializer: [{ name: 'w', dataType: 1, dims: [2000], rawData: new Uint8Array(8000) }],
    input: [{ name: 'x', type: { tensorType: { elemType: 1, shape: { dim: [{ dimParam: 'batch' }] } } } }],
  },
};
const whole = ModelProto.encode(proto as unknown as ModelProto).finish();
const placeOf = (text: string) => Buffer.from(whole).indexOf(text);

function changed(at: number, value: number): Uint8Array {
  const bytes = Uint8Array.from(whole);
  bytes[at] = value;
  return bytes;
}

/** Before a text stand its length and the tag of its field. */
const FAULTS: readonly (readonly [what: string, bytes: Uint8Array, says: RegExp])[] = [
  [
    'the name of an attribute is longer than the attribute',
    changed(placeOf('alpha') - 1, 100),
    new RegExp(
      `at byte ${placeOf('alpha') - 1}, in graph\\.node\\[1\\]\\.attribute\\[0\\]: .* 100 bytes, but only \\d+ are left`,
    ),
  ],
  [
    'a field of no wire type',
    changed(placeOf('Relu') - 2, 0x27),
    new RegExp(`at byte ${placeOf('Relu') - 2}, in graph\\.node\\[0\\]: models have no fields of wire type 7`),
  ],
  [
    'a field without a number, behind weights that are left in their file',
    changed(placeOf('batch') - 2, 0x02),
    new RegExp(
      `at byte ${placeOf('batch') - 2}, in graph\\.input\\[0\\]\\.type\\.tensor_type\\.shape\\.dim\\[0\\]: field number 0 is invalid`,
    ),
  ],
  [
    'a file that was cut short',
    whole.slice(0, 60),
    /at byte \d+: a field declares \d+ bytes, but only \d+ are left|truncated: it ends at byte 60, in a field that extends to byte \d+/,
  ],
];

for (const [what, bytes, says] of FAULTS)
  test(`${what}: the error says where, of bytes and of files`, async () => {
    for (const source of [bytes, new Blob([bytes as Uint8Array<ArrayBuffer>])]) {
      const error = await loadModel(source).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      assert.instance(error, SardonyxError);
      assert.is((error as SardonyxError).code, 'INVALID_MODEL');
      assert.match((error as SardonyxError).message, says);
    }
  });

test.run();
