import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import type { ModelBuilder } from '../../src/builder/model-builder.js';
import type { Value } from '../../src/graph/graph.js';
import type { Dim } from '../../src/graph/types.js';
import { readModel } from '../../src/model/read-model.js';
import type { ElementType } from '../../src/tensor/element-types.js';
import { workOf } from '../../src/tools/inspect/work.js';

const test = suite('multiply-adds');

/** The work of a model that is made of inputs x and y. */
function work(element: ElementType, dimsX: Dim[], dimsY: Dim[], make: (b: ModelBuilder, x: Value, y: Value) => void) {
  const b = modelBuilder({ opset: 21 });
  make(b, b.input('x', element, dimsX), b.input('y', element, dimsY));
  const { total, unknown, refusal } = workOf(readModel(b.toBytes()), new Map());
  if (refusal) throw refusal;
  return { total, unknown };
}

for (const element of ['float32', 'float16', 'float64', 'int32', 'int64'] as const)
  test(`a product in ${element} counts what it needs`, () => {
    const counted = work(element, [2, 3, 4], [4, 5], (b, x, y) => b.output('z', b.op('MatMul', [x, y])));
    assert.equal(counted, { total: 2 * 3 * 4 * 5, unknown: 0 });
  });

test('what decomposes counts as its parts do', () => {
  const gemm = work('float32', [4, 3], [5, 4], (b, x, y) =>
    b.output('z', b.op('Gemm', [x, y], { transA: 1, transB: 1 })),
  );
  assert.equal(gemm, { total: 3 * 4 * 5, unknown: 0 });
  const einsum = work('float32', [2, 3, 4], [4, 5], (b, x, y) =>
    b.output('z', b.op('Einsum', [x, y], { equation: 'bij,jk->bik' })),
  );
  assert.equal(einsum, { total: 2 * 3 * 4 * 5, unknown: 0 });
});

test('convolutions and recurrent layers count their weights at every place', () => {
  const conv = work('float32', [2, 4, 7, 7], [6, 2, 3, 3], (b, x, y) =>
    b.output('z', b.op('Conv', [x, y], { group: 2, strides: [2, 2], pads: [1, 1, 1, 1] })),
  );
  assert.equal(conv, { total: 2 * 6 * 4 * 4 * (2 * 3 * 3), unknown: 0 });
  const back = work('float32', [1, 3, 4, 4], [3, 5, 2, 2], (b, x, y) => b.output('z', b.op('ConvTranspose', [x, y])));
  assert.equal(back, { total: 3 * 4 * 4 * (5 * 2 * 2), unknown: 0 });
  const lstm = work('float32', [9, 2, 5], [1, 12, 3], (b, x, r) => {
    const w = b.constant('w', tensor('float32', [1, 12, 5], new Array(60).fill(0.5)));
    b.output('z', b.op('LSTM', [x, w, r], { hidden_size: 3 }));
  });
  assert.equal(lstm, { total: 9 * 2 * 12 * (5 + 3), unknown: 0 });
});

test('arithmetic and moves count nothing', () => {
  const counted = work('float32', [2, 3], [2, 3], (b, x, y) => b.output('z', b.op('Transpose', [b.op('Mul', [x, y])])));
  assert.equal(counted, { total: 0, unknown: 0 });
});

test('products whose shapes depend on data are said to be missing, in every type', () => {
  for (const element of ['float32', 'float64'] as const) {
    const counted = work(element, [2, 3], [3, 2], (b, x, y) => {
      const places = b.op('Cast', [b.op('NonZero', [x])], { to: element === 'float32' ? 1 : 11 });
      b.output('known', b.op('MatMul', [x, y]));
      b.output('open', b.op('MatMul', [y, places]));
    });
    assert.equal(counted, { total: 2 * 3 * 2, unknown: 1 });
  }
});

test('products of a loop run as often as data say', () => {
  const counted = work('float32', [2, 2], [2, 2], (b, x) => {
    const body = b.subgraph('body', (inner) => {
      inner.input('i', 'int64', []);
      const goesOn = inner.input('goesOn', 'bool', []);
      const carried = inner.input('carried', 'float32', [2, 2]);
      inner.output('goesOnStill', inner.op('Identity', [goesOn]));
      inner.output('next', inner.op('MatMul', [carried, inner.op('Abs', [carried])]));
    });
    const times = b.constant('times', tensor('int64', [], [3]));
    const [last] = b.node('Loop', [times, null, x], { body });
    b.output('z', last);
  });
  assert.equal(counted, { total: 0, unknown: 1 });
});

test('an input with a default is of its dims and contents', () => {
  const counted = work('float32', [2, 6], [1], (b, x) => {
    const dims = b.input('dims', 'int64', [2], { default: tensor('int64', [2], [6, 5]) });
    const weights = b.op('ConstantOfShape', [dims]);
    b.output('z', b.op('MatMul', [x, weights]));
  });
  assert.equal(counted, { total: 2 * 6 * 5, unknown: 0 });
});

test.run();
