import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ints, strings, tensor } from '../../../src/builder/index.js';
import type { ValueType } from '../../../src/graph/types.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { expectRejection } from '../../expect-error.js';
import { assertTensor, runNode } from './run-operator.js';

const test = suite('operators on maps of ai.onnx.ml');

const mapType = (key: ElementType, element: ElementType): ValueType => ({
  kind: 'map',
  key,
  value: { kind: 'tensor', element },
});

test('ZipMap has strings or bigints as keys, numbers as values', async () => {
  const x = tensor('float32', [2, 2], [0.25, 0.75, 1, 0]);
  const [byNumber] = await runNode({ op: 'ZipMap', attributes: { classlabels_int64s: ints([7, -1]) } }, x);
  assert.equal(byNumber, [
    new Map([
      [7n, 0.25],
      [-1n, 0.75],
    ]),
    new Map([
      [7n, 1],
      [-1n, 0],
    ]),
  ]);
  const [byName] = await runNode({ op: 'ZipMap', attributes: { classlabels_strings: strings(['a', 'b']) } }, x);
  assert.equal(byName, [
    new Map([
      ['a', 0.25],
      ['b', 0.75],
    ]),
    new Map([
      ['a', 1],
      ['b', 0],
    ]),
  ]);
  const three = { classlabels_int64s: ints([1, 2, 3]) };
  await expectRejection('INVALID_SHAPE', /3 class labels/, runNode({ op: 'ZipMap', attributes: three }, x));
});

test('CastMap orders by key, or places by key', async () => {
  const types = [mapType('int64', 'float32')];
  const map = new Map([
    [3n, 1.5],
    [1n, 2.75],
  ]);
  const [dense] = await runNode({ op: 'CastMap', types }, map);
  assertTensor(dense, tensor('float32', [1, 2], [2.75, 1.5]));
  const [sparse] = await runNode(
    { op: 'CastMap', types, attributes: { map_form: 'SPARSE', max_map: 5, cast_to: 'TO_INT64' } },
    map,
  );
  assertTensor(sparse, tensor('int64', [1, 5], [0, 2, 0, 1, 0]));
  const tooSmall = { map_form: 'SPARSE', max_map: 2 };
  await expectRejection('INVALID_VALUE', /key 3/, runNode({ op: 'CastMap', types, attributes: tooSmall }, map));
  const words = new Map([
    [2n, '2.5'],
    [1n, '7'],
  ]);
  const [numbers] = await runNode({ op: 'CastMap', types: [mapType('int64', 'string')] }, words);
  assertTensor(numbers, tensor('float32', [1, 2], [7, 2.5]));
});

test('DictVectorizer follows its vocabulary', async () => {
  const attributes = { string_vocabulary: strings(['a', 'c', 'b', 'z']) };
  const given = new Map([
    ['a', 4n],
    ['c', 8n],
  ]);
  const [numbers] = await runNode({ op: 'DictVectorizer', attributes, types: [mapType('string', 'int64')] }, given);
  assertTensor(numbers, tensor('int64', [1, 4], [4, 8, 0, 0]));
  const names = new Map([[9n, 'nine']]);
  const byNumber = {
    op: 'DictVectorizer',
    attributes: { int64_vocabulary: ints([1, 9]) },
    types: [mapType('int64', 'string')],
  };
  assertTensor((await runNode(byNumber, names))[0], tensor('string', [1, 2], ['', 'nine']));
});

test('maps of other keys, other values or another vocabulary are refused', async () => {
  const op = 'DictVectorizer';
  const byNumber = { op, attributes: { int64_vocabulary: ints([1]) }, types: [mapType('int64', 'float32')] };
  await expectRejection('INVALID_TYPE', /got the key "é"/, runNode(byNumber, new Map([['é', 1]])));
  await expectRejection('INVALID_TYPE', /got the key 1\.5/, runNode(byNumber, new Map([[1.5, 1]])));
  await expectRejection('INVALID_TYPE', /got "x" at 1/, runNode(byNumber, new Map([[1n, 'x']])));
  const byWord = { ...byNumber, types: [mapType('string', 'float32')] };
  await expectRejection('INVALID_TYPE', /vocabulary/, runNode(byWord, new Map([['é', 1]])));
  const cast = { op: 'CastMap', attributes: { cast_to: 'TO_INT64' }, types: [mapType('int64', 'string')] };
  await expectRejection('INVALID_VALUE', /is not an int64/, runNode(cast, new Map([[1n, 'x']])));
});

test.run();
