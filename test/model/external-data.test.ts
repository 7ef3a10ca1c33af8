import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { externalFiles, fileInMemory } from '../../src/model/external-data.js';
import { rangesIn } from '../../src/model/files.js';
import { readModel } from '../../src/model/read-model.js';
import { openModel } from '../../src/session/open-model.js';
import { expectError, expectRejection } from '../expect-error.js';

const test = suite('external data');

/** A model whose output is the constant w = int16[2] with external data. */
function modelWith(entries: Readonly<Record<string, string>>, dataType = 5): Uint8Array {
  const externalData = Object.entries(entries).map(([key, value]) => ({ key, value }));
  return ModelProto.encode({
    irVersion: 10,
    opsetImport: [{ version: 21 }],
    graph: {
      initializer: [{ name: 'w', dims: [2], dataType, dataLocation: 1, externalData }],
      output: [{ name: 'w' }],
    },
  }).finish();
}

const DATA = Uint8Array.of(9, 9, 9, 1, 0, 2, 0, 9);
const externalData = externalFiles(new Map([['weights.bin', fileInMemory('weights.bin', DATA)]]));

test('a range of a file that was given, copied where it is unaligned', () => {
  for (const location of ['weights.bin', './weights.bin']) {
    const model = readModel(modelWith({ location, offset: '3', length: '4', checksum: 'any' }), { externalData });
    assert.equal(model.graph.outputs[0]?.constant?.data, new Int16Array([1, 2]));
  }
});

test('aligned data is a view; offset 0 and the whole need not be said', () => {
  const data = new Uint8Array(new Int16Array([5, 6]).buffer);
  const model = readModel(modelWith({ location: 'w' }), {
    externalData: externalFiles(new Map([['w', fileInMemory('w', data)]])),
  });
  const found = model.graph.outputs[0]?.constant?.data as Int16Array;
  assert.equal(found, new Int16Array([5, 6]));
  assert.is(found.buffer, data.buffer);
});

const REFUSED: readonly [what: string, message: RegExp, entries: Record<string, string>, dataType?: number][] = [
  ['no location', /^value "w": external data has no location/, {}],
  [
    'a file that was not given',
    /^value "w": external file "other.bin" was not given; given: "weights.bin"/,
    { location: 'other.bin' },
  ],
  [
    'a range beyond the end',
    /"weights.bin" has 8 bytes, but the model reads 6 to 10/,
    { location: 'weights.bin', offset: '6' },
  ],
  ['another length than dims say', /has 8 bytes; its type and dims need 4/, { location: 'weights.bin', length: '8' }],
  ['a negative offset', /offset "-1" of external data is not a byte count/, { location: 'weights.bin', offset: '-1' }],
  [
    'an offset that is no number',
    /offset "1e3" of external data is not a byte count/,
    { location: 'weights.bin', offset: '1e3' },
  ],
  [
    'an offset beyond 2⁵³',
    /offset "9{20}" of external data is not a byte count/,
    { location: 'weights.bin', offset: '9'.repeat(20) },
  ],
  ['strings', /strings cannot be external/, { location: 'weights.bin' }, 8],
];

for (const [what, message, entries, dataType] of REFUSED)
  test(`${what} is refused`, () =>
    expectError('EXTERNAL_DATA', message, () => readModel(modelWith(entries, dataType), { externalData })));

test('no external data at all', () => {
  const message = /^value "w": its data is in "weights.bin": pass it in externalData/;
  expectError('EXTERNAL_DATA', message, () => readModel(modelWith({ location: 'weights.bin' })));
});

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-'));
const models = join(folder, 'models');
const modelFile = join(models, 'model.onnx');

test.before(() => {
  mkdirSync(join(models, 'sub'), { recursive: true });
  mkdirSync(join(folder, 'models-secret'));
  writeFileSync(join(folder, 'secret.bin'), DATA);
  writeFileSync(join(folder, 'models-secret', 'secret.bin'), DATA);
  writeFileSync(join(models, 'weights.bin'), DATA);
  writeFileSync(join(models, 'sub', 'weights.bin'), DATA);
  symlinkSync(join(folder, 'secret.bin'), join(models, 'file-link'));
  symlinkSync(folder, join(models, 'folder-link'));
  symlinkSync(join(folder, 'models-secret'), join(models, 'sibling-link'));
  symlinkSync('weights.bin', join(models, 'inner-link'));
});

test.after(() => rmSync(folder, { recursive: true }));

const load = (location: string) => {
  writeFileSync(modelFile, modelWith({ location, offset: '3', length: '4' }));
  return openModel(modelFile, {});
};

test("files within the model's folder are read", async () => {
  for (const location of ['weights.bin', './weights.bin', 'sub/weights.bin', 'inner-link']) {
    const { graph } = await load(location);
    assert.equal(graph.outputs[0]?.constant?.data, new Int16Array([1, 2]), location);
  }
});

const ATTACKS: readonly [location: string, message: RegExp][] = [
  ['../secret.bin', /is not a relative path within the model's folder/],
  ['sub/../../secret.bin', /is not a relative path/],
  ['sub/../weights.bin', /is not a relative path/],
  ['/etc/hostname', /is not a relative path/],
  ['C:/secret.bin', /is not a relative path/],
  ['c:secret.bin', /is not a relative path/],
  ['..\\secret.bin', /is not a relative path/],
  ['weights.bin\0.txt', /is not a relative path/],
  ['file-link', /is outside the model's folder/],
  ['folder-link/secret.bin', /is outside the model's folder/],
  ['sibling-link/secret.bin', /is outside the model's folder/],
  ['sub', /is not a regular file/],
  ['.', /is outside the model's folder|is not a regular file/],
  ['missing.bin', /is not in the model's folder, .*given: none; pass \{ path: .*, data \} in externalData/],
];

for (const [location, message] of ATTACKS)
  test(`${JSON.stringify(location)} is refused, and the tensor named`, async () => {
    await expectRejection('EXTERNAL_DATA', message, load(location));
    await expectRejection('EXTERNAL_DATA', /^value "w"/, load(location));
  });

test('only the wanted range is read, and not beyond the end', async () => {
  const read = (path: string, offset: number, length: number) => rangesIn(models, path).ranges(offset, length);
  assert.equal(read('weights.bin', 3, 2)(), Uint8Array.of(1, 0));
  expectError('EXTERNAL_DATA', /has 8 bytes, but the model reads 4 to 4294967300/, () =>
    read('weights.bin', 4, 2 ** 32),
  );
});

test('a model that is not there', () =>
  expectRejection(
    'FILE_NOT_FOUND',
    /cannot read the model ".*none.onnx": there is no file/,
    openModel(join(folder, 'none.onnx'), {}),
  ));

test.run();
