import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../../../src/index.js';
import { fileOf } from '../../../../src/model/document/left-bytes.js';
import { fromBfloat16, fromFloat16 } from '../../../../src/tensor/half.js';
import { importFormatOf, openWeights, type StoredWeight } from '../../../../src/tools/index.js';
import { refuses } from '../../surgery/models.js';
import { bytesOf, files, floatsOf, type RecordedFile, safetensorsOf } from './files.js';

const test = suite('files of weights');

const open = ({ file }: { readonly file: string }) => openWeights(bytesOf(file));
const whole = async ({ read }: StoredWeight) => Uint8Array.from(await read());

test('safetensors: every type, as its own library has written it', async () => {
  const { tensors, metadata, format } = await open(files.safetensors);
  assert.is(format, 'safetensors');
  assert.equal({ ...metadata }, { format: 'pt', note: 'été' });
  assert.equal([...tensors.keys()].sort(), Object.keys(files.safetensors.tensors).sort());
  for (const [name, { dims, data }] of Object.entries(files.safetensors.tensors)) {
    const found = tensors.get(name) as StoredWeight;
    assert.equal(found.dims, dims, name);
    assert.equal(await whole(found), bytesOf(data), name);
    if (/^[A-Z]/.test(name)) assert.is(found.form, name);
  }
});

const HALVES: Readonly<Record<string, (bits: number) => number>> = { F16: fromFloat16, BF16: fromBfloat16 };

test("GGUF: every form, as ggml's own Python restores it, to the bit", async () => {
  const { tensors, metadata, format } = await open(files.gguf);
  assert.is(format, 'gguf');
  const { count, negative, yes, third, name, tokens, scores } = metadata;
  assert.equal([count, negative, yes, third], [2n ** 63n, -5, true, Math.fround(1 / 3)]);
  assert.equal([name, tokens, scores], ['Grüße', ['a', 'bc', ''], [0.5, -1.5]]);
  for (const [form, { dims, data }] of Object.entries(files.gguf.tensors)) {
    const found = tensors.get(form) as StoredWeight;
    assert.is(found.form, form);
    assert.equal(found.dims, dims, form);
    const bytes = await whole(found);
    const half = HALVES[form];
    const values = half ? Float32Array.from(new Uint16Array(bytes.buffer), half) : new Float32Array(bytes.buffer);
    assert.equal(values, floatsOf(data), form);
  }
});

test('parts of what is restored are the same as the whole', async () => {
  const { tensors } = await open(files.gguf);
  for (const form of ['Q4_0', 'Q6_K']) {
    const weight = tensors.get(form) as StoredWeight;
    const all = await whole(weight);
    for (const [begin, end] of [
      [0, 4],
      [100, 300],
      [126, 131],
      [all.length - 3, all.length],
      [8, 8],
    ] as const)
      assert.equal(Uint8Array.from(await fileOf(weight.data).range(begin, end)), all.slice(begin, end), form);
  }
});

/** What a broken file comes to; nothing but an error of ours. */
async function outcome(bytes: Uint8Array): Promise<string> {
  try {
    const { tensors } = await openWeights(bytes);
    for (const weight of tensors.values()) await whole(weight);
    return 'read';
  } catch (error) {
    if (!(error instanceof SardonyxError) || error.code !== 'INVALID_ARGUMENT') throw error;
    return error.message;
  }
}

for (const format of ['safetensors', 'gguf'] as const)
  test(`${format}: what is cut short or damaged is refused`, async () => {
    const bytes = bytesOf((files[format] as RecordedFile).file);
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(length / 64))
      assert.not.equal(await outcome(bytes.subarray(0, length)), 'read', `${length} bytes`);
    for (let at = 0; at < 1500; at += 7) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ (1 << (at % 8));
      await outcome(damaged);
    }
  });

const REFUSED: readonly (readonly [header: string, data: number, message: string])[] = [
  ['{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}', 4, 'needs 8 bytes, got 4'],
  ['{"a":{"dtype":"F6_E2M3","shape":[2],"data_offsets":[0,2]}}', 2, 'ONNX does not support the type "F6_E2M3"'],
  ['{"a":{"dtype":"constructor","shape":[],"data_offsets":[0,2]}}', 2, 'ONNX does not support the type "constructor"'],
  ['{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}', 4, 'must be lists of non-negative integers'],
  ['{"a":null}', 0, 'must be lists of non-negative integers'],
  [
    '{"a":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}',
    3,
    'starts at byte 1; expected 0, the end of the tensor before it',
  ],
  ['{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]}}', 5, 'has 5 bytes of tensors, but the header describes 2'],
  ['{"a":', 0, 'invalid JSON'],
];

for (const [header, data, message] of REFUSED)
  test(`safetensors: ${message}`, async () => {
    const text = new TextEncoder().encode(header);
    const bytes = new Uint8Array(8 + text.length + data);
    bytes[0] = text.length;
    bytes.set(text, 8);
    await refuses(openWeights(bytes), message);
  });

test('a header as long as the number of an opening brace is none of JSON', async () => {
  const entry = { dtype: 'U8', shape: [1], data: Uint8Array.of(7) };
  const name = 'a'.repeat(
    '{'.charCodeAt(0) - JSON.stringify({ '': { dtype: 'U8', shape: [1], data_offsets: [0, 1] } }).length,
  );
  const bytes = safetensorsOf({ [name]: entry });
  assert.is(bytes[0], '{'.charCodeAt(0));
  assert.equal([...(await openWeights(bytes)).tensors.keys()], [name]);
  assert.is(await importFormatOf(bytes), 'safetensors');
});

test('a shard that is missing, and a weight that is in none, are refused', async () => {
  const index = (map: object) => new TextEncoder().encode(JSON.stringify({ weight_map: map }));
  const shard = safetensorsOf({ a: { dtype: 'U8', shape: [1], data: Uint8Array.of(3) } });
  const options = { externalData: [{ path: 'one.safetensors', data: shard }] };
  const { tensors } = await openWeights(index({ a: 'one.safetensors' }), options);
  assert.equal([...tensors.keys()], ['a']);
  await refuses(openWeights(index({ a: 'two.safetensors' }), options), 'cannot find the file "two.safetensors"');
  await refuses(openWeights(index({ b: 'one.safetensors' }), options), '"b" is missing, but');
  await refuses(openWeights(index({ b: 7 })), 'weight_map is missing');
  await refuses(openWeights(new TextEncoder().encode('ONNX?')), 'neither a safetensors');
});

test.run();
