import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { assertClose, numbers, open } from '../../session/run-model.js';
import { f32 } from '../../values.js';

import { runNode } from '../one-node.js';

const test = suite('Einsum');

const LEVELS = ['disabled', 'all'] as const;

function modelOf(equation: string, inputs: readonly TensorValue[], dims: (i: number) => readonly (number | string)[]) {
  const b = modelBuilder({ opset: 21 });
  const values = inputs.map((_, i) => b.input(`x${i}`, 'float32', dims(i)));
  b.output('y', b.op('Einsum', values, { equation }));
  return b.toBytes();
}

/** Sums over every assignment of the labels, each label one letter. */
function expected(operands: string[], output: string, inputs: readonly TensorValue[]): TensorValue {
  const labels = [...new Set([...output, ...operands.join('')])];
  const sizes = labels.map((l) => {
    const i = operands.findIndex((labels) => labels.includes(l));
    return inputs[i]?.dims[operands[i]?.indexOf(l) as number] as number;
  });
  const at = (term: string, index: readonly number[], dims: readonly number[]) =>
    [...term].reduce((sum, l, axis) => sum * (dims[axis] as number) + (index[labels.indexOf(l)] as number), 0);
  const outDims = [...output].map((l) => sizes[labels.indexOf(l)] as number);
  const y = new Float64Array(outDims.reduce((n, d) => n * d, 1));
  const index = labels.map(() => 0);
  for (let left = sizes.reduce((n, d) => n * d, 1); left > 0; left--) {
    const factors = operands.map((term, i) => {
      const { data, dims } = inputs[i] as TensorValue;
      return data[at(term, index, dims)] as number;
    });
    y[at(output, index, outDims)] = (y[at(output, index, outDims)] as number) + factors.reduce((p, x) => p * x, 1);
    for (let l = labels.length - 1; l >= 0; l--) {
      index[l] = ((index[l] as number) + 1) % (sizes[l] as number);
      if (index[l] !== 0) break;
    }
  }
  return f32(outDims, y);
}

/** Equation, the same with letters for the ellipsis and an explicit output, shapes. */
const CASES: [equation: string, spelled: string, shapes: number[][]][] = [
  [
    'ij,jk->ik',
    'ij,jk->ik',
    [
      [3, 4],
      [4, 5],
    ],
  ],
  [
    'ij,jk',
    'ij,jk->ik',
    [
      [3, 4],
      [4, 5],
    ],
  ],
  ['ba', 'ba->ab', [[2, 3]]],
  ['ij->', 'ij->', [[2, 3]]],
  ['ijk->kj', 'ijk->kj', [[2, 3, 4]]],
  ['ii->i', 'ii->i', [[4, 4]]],
  ['bii->b', 'bii->b', [[2, 3, 3]]],
  ['i,j->ij', 'i,j->ij', [[3], [4]]],
  ['i,i', 'i,i->', [[5], [5]]],
  [
    'ij,ij->ij',
    'ij,ij->ij',
    [
      [3, 4],
      [3, 4],
    ],
  ],
  [
    'ijk,ik->ij',
    'ijk,ik->ij',
    [
      [2, 3, 4],
      [2, 4],
    ],
  ],
  [
    'bqhd,bkhd->bhqk',
    'bqhd,bkhd->bhqk',
    [
      [2, 3, 2, 4],
      [2, 5, 2, 4],
    ],
  ],
  [
    'abcd,cdef->fbae',
    'abcd,cdef->fbae',
    [
      [2, 3, 4, 2],
      [4, 2, 3, 2],
    ],
  ],
  [
    'ab,bc,cd->ad',
    'ab,bc,cd->ad',
    [
      [2, 3],
      [3, 4],
      [4, 2],
    ],
  ],
  [
    'ab,cb,db->a',
    'ab,cb,db->a',
    [
      [2, 3],
      [4, 3],
      [2, 3],
    ],
  ],
  [
    '...ij,...jk->...ik',
    'xyij,xyjk->xyik',
    [
      [2, 3, 4, 2],
      [2, 3, 2, 5],
    ],
  ],
  [
    '...ij,jk',
    'xij,jk->xik',
    [
      [2, 3, 4],
      [4, 5],
    ],
  ],
  [
    'i...,i...->...',
    'ix,ix->x',
    [
      [3, 4],
      [3, 4],
    ],
  ],
];

for (const [equation, spelled, shapes] of CASES) {
  test(equation, async () => {
    const inputs = shapes.map((dims, i) => numbers(dims, i + 1));
    const [left = '', output = ''] = spelled.split('->');
    const y = expected(left.split(','), output, inputs);
    const feeds = Object.fromEntries(inputs.map((x, i) => [`x${i}`, x]));
    const known = modelOf(equation, inputs, (i) => shapes[i] as number[]);
    const symbolic = modelOf(equation, inputs, (i) => (shapes[i] as number[]).map((_, axis) => `d${i}${axis}`));
    for (const model of [known, symbolic]) {
      for (const graphOptimizationLevel of LEVELS) {
        const session = await open(model, { graphOptimizationLevel });
        assertClose(await session.run(feeds), { y }, 1e-5, `${equation} ${graphOptimizationLevel}`);
      }
    }
  });
}

test('sizes of 1 under an ellipsis broadcast', async () => {
  const [a, b] = [numbers([1, 3, 2], 1), numbers([4, 2, 5], 2)];
  const wide = f32(
    [4, 3, 2],
    Array.from({ length: 24 }, (_, i) => a.data[i % 6] as number),
  );
  const session = await open(modelOf('...ij,...jk', [a, b], (i) => (i ? b : a).dims));
  assertClose(
    await session.run({ x0: a, x1: b }),
    { y: expected(['xij', 'xjk'], 'xik', [wide, b]) },
    1e-5,
    'broadcast',
  );
});

for (const [equation, shapes] of [
  [
    'ij,jk->iz',
    [
      [2, 3],
      [3, 4],
    ],
  ],
  ['ij->i', [[2, 3, 4]]],
  ['i?->i', [[2, 3]]],
  [
    'ij,jk',
    [
      [2, 3],
      [4, 4],
    ],
  ],
] as [string, number[][]][]) {
  test(`${equation} on ${shapes.join(' and ')} is refused`, async () => {
    const inputs = shapes.map((dims) => numbers(dims));
    const feeds = Object.fromEntries(inputs.map((x, i) => [`x${i}`, x]));
    const dims = (i: number) => shapes[i]?.map((_, axis) => `d${i}${axis}`) as string[];
    const run = open(modelOf(equation, inputs, dims)).then((session) => session.run(feeds));
    const code = equation === 'ij,jk' ? 'INVALID_SHAPE' : 'INVALID_ATTRIBUTE';
    await expectRejection(code, /ij|i\?|differ/, run);
  });
}

test('sums of nothing', async () => {
  for (const constant of [true, false]) {
    const inputs = [f32([0], []), f32([0], [])];
    assert.equal(await runNode('Einsum', { inputs, attributes: { equation: 'i,i->' }, constant }), [f32([], [0])]);
  }
});

test('integers wrap as their type does', async () => {
  const attributes = { equation: 'i,i->i' };
  const wide = [tensor('uint64', [2], [2n ** 64n - 1n, 3n]), tensor('uint64', [2], [6n, 5n])];
  assert.equal(await runNode('Einsum', { inputs: wide, attributes }), [tensor('uint64', [2], [2n ** 64n - 6n, 15n])]);
  const narrow = [tensor('int32', [1], [2 ** 31 - 1]), tensor('int32', [1], [2 ** 31 - 1])];
  assert.equal(await runNode('Einsum', { inputs: narrow, attributes }), [tensor('int32', [1], [1])]);
});

test.run();
