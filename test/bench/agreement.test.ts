import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { detectionDistance, distance } from '../../bench/agreement.js';
import type { NamedTensor } from '../../bench/inputs.js';

const test = suite('agreement');

const floats = (dims: number[], ...values: number[]): NamedTensor => ({
  name: '',
  type: 'float32',
  dims,
  data: Float32Array.from(values),
});

const found = (...detections: [box: number[], score: number, label: number][]): NamedTensor[] => [
  floats([detections.length, 4], ...detections.flatMap(([box]) => box)),
  floats([detections.length], ...detections.map(([, score]) => score)),
  floats([detections.length], ...detections.map(([, , label]) => label)),
];

test('distance is relative L2, infinite for other shapes and NaN', () => {
  const expected = [floats([2], 3, 4)];
  assert.is(distance([floats([2], 3, 4)], expected), 0);
  assert.is(distance([floats([2], 3, 4.5)], expected), 0.1);
  assert.is(distance([floats([1, 2], 3, 4)], expected), Infinity);
  assert.is(distance([floats([2], NaN, 4)], expected), Infinity);
  assert.is(distance([], expected), Infinity);
});

test('detections match in any order, one to one', () => {
  const [a, b] = [
    [0, 0, 10, 10],
    [20, 20, 40, 40],
  ] as [number[], number[]];
  const expected = found([a, 0.9, 1], [b, 0.5, 2]);
  assert.is(detectionDistance(found([b, 0.505, 2], [a, 0.9, 1]), expected), 0);
  assert.is(detectionDistance(found([a, 0.9, 1], [[20, 20, 40, 60], 0.5, 2]), expected), 0.5);
  assert.is(detectionDistance(found([a, 0.9, 1], [b, 0.5, 3]), expected), 0.5);
  assert.is(detectionDistance(found([a, 0.9, 1], [a, 0.9, 1]), expected), 0.5);
  assert.is(detectionDistance(found([a, 0.9, 1]), expected), 1 / 3);
});

test.run();
