import { int, modelBuilder, tensor } from '../../src/builder/index.js';
import { f32, numberOf } from '../values.js';

/** y = 3 relu(x) + 1, its steps "relu" and "inner/tripled:0": one fused chain when it is optimized. */
export function chainModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 2]);
  const [relu] = b.node('Relu', [x], {}, { outputs: ['relu'] });
  const [tripled] = b.node('Mul', [relu, b.constant('three', numberOf(3))], {}, { outputs: ['inner/tripled:0'] });
  b.output('y', b.op('Add', [tripled, b.constant('one', numberOf(1))]), 'float32', ['n', 2]);
  return b.toBytes();
}

/** The rows of x as a sequence, and their number. */
export function listModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 2]);
  const list = b.op('SplitToSequence', [x, b.constant('one', tensor('int64', [], [1]))], { axis: int(0) });
  b.output('length', b.op('SequenceLength', [list]), 'int64', []);
  b.output('list', list, { kind: 'sequence', of: { kind: 'tensor', element: 'float32' } });
  return b.toBytes();
}

/** Adds x to itself three times, in a loop whose body has the value "sum". */
export function loopModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  const body = b.subgraph('body', (inner) => {
    inner.input('i', 'int64', []);
    const goesOn = inner.input('goesOn', 'bool', []);
    const carried = inner.input('carried', 'float32', ['n']);
    const [sum] = inner.node('Add', [carried, x], {}, { outputs: ['sum'] });
    inner.output('goesOnStill', inner.op('Identity', [goesOn]));
    inner.output('next', inner.op('Identity', [sum]));
  });
  const times = b.constant('times', tensor('int64', [], [3]));
  const [y] = b.node('Loop', [times, null, x], { body }, { outputs: 1, name: 'repeat' });
  b.output('y', y, 'float32', ['n']);
  return b.toBytes();
}

/**
 * Layer normalization over the last axis written out in its parts, as exporters of opset 17 and older do, beside two shapes
 * that constants alone decide, an identity, a node twice and one that nobody reads.
 */
export function verboseModel(opset: number): Uint8Array {
  const b = modelBuilder({ opset });
  const x = b.input('x', 'float32', ['batch', 4]);
  const axes = { axes: { type: 'ints', value: [-1] }, keepdims: int(1) } as const;
  const centred = b.op('Sub', [x, b.op('ReduceMean', [x], axes)]);
  const squared = b.op('Pow', [centred, b.constant('square', numberOf(2))]);
  const spread = b.op('Sqrt', [
    b.op('Add', [b.op('ReduceMean', [squared], axes), b.constant('epsilon', numberOf(1e-5))]),
  ]);
  const scaled = b.op('Mul', [b.op('Div', [centred, spread]), b.constant('scale', f32([4], [1, 2, 3, 4]))]);
  const normal = b.op('Identity', [b.op('Add', [scaled, b.constant('bias', f32([4], [0, 1, 0, 1]))])]);
  const twice = b.op('Add', [b.op('Exp', [normal]), b.op('Exp', [normal])]);
  const size = b.op(
    'Concat',
    [b.constant('some', tensor('int64', [1], [-1])), b.constant('two', tensor('int64', [1], [2]))],
    {
      axis: int(0),
    },
  );
  b.op('Cos', [twice]);
  b.output('y', b.op('Reshape', [twice, size]), 'float32', ['rows', 2]);
  return b.toBytes();
}
