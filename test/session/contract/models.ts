// Models whose results anyone can write down.

import type { GraphBuilder } from '../../../src/builder/graph-builder.js';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { Value } from '../../../src/graph/graph.js';
import { ELEMENTS, type ElementType } from '../../../src/tensor/element-types.js';
import { int64s } from '../../values.js';

const element = { kind: 'tensor', element: 'float32' } as const;

/** y = a + b and z = 2y for float32[n,2]. */
export function sum(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const [left, right] = [b.input('a', 'float32', ['n', 2]), b.input('b', 'float32', [1, 2])];
  const y = b.op('Add', [left, right]);
  b.output('y', y, 'float32', ['n', 2]);
  b.output('z', b.op('Mul', [y, b.constant('two', tensor('float32', [], [2]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

/** y = a + b, where b is 10, 20 if it is not fed. */
export function withDefault(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const right = b.input('b', 'float32', [2], { default: tensor('float32', [2], [10, 20]) });
  b.output('y', b.op('Add', [b.input('a', 'float32', ['n', 2]), right]), 'float32', ['n', 2]);
  return b.toBytes();
}

/** Each element type in, and the same out as `… out`. */
export function everyType(): Uint8Array {
  const b = modelBuilder({ opset: 25 });
  for (const type of Object.keys(ELEMENTS) as ElementType[])
    b.output(`${type} out`, b.op('Identity', [b.input(type, type)]));
  return b.toBytes();
}

/** A sequence, an optional and a map in; the same sequence and optional, a list of maps and a vector out. */
export function everyKind(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { 'ai.onnx.ml': 3 } });
  const [sequence, optional] = [
    { kind: 'sequence', of: element },
    { kind: 'optional', of: element },
  ] as const;
  const map = { kind: 'map', key: 'string', value: { ...element, dims: [] } } as const;
  b.output('same', b.op('Identity', [b.input('list', sequence)]), sequence);
  const maybe = b.input('maybe', optional);
  b.output('perhaps', b.op('Identity', [maybe]), optional);
  b.output('has', b.op('OptionalHasElement', [maybe]), 'bool', []);
  const ml = { domain: 'ai.onnx.ml' };
  const words = { string_vocabulary: ['cat', 'dog'] };
  b.output('vector', b.op('DictVectorizer', [b.input('counts', map)], words, ml), 'float32', [1, 2]);
  const maps = b.op('ZipMap', [b.input('scores', 'float32', ['n', 2])], { classlabels_strings: ['cat', 'dog'] }, ml);
  b.output('maps', maps, { kind: 'sequence', of: map });
  return b.toBytes();
}

export const WORDS_OF_OBJECTS = ['__proto__', 'constructor', 'toString', 'y'];

/** Outputs and the input have names that every object has; each output is its input times its place, counted from 2. */
export function wordsOfObjects(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('valueOf', 'float32', ['n']);
  for (const [i, name] of WORDS_OF_OBJECTS.entries())
    b.output(name, b.op('Mul', [x, b.constant(`c${i}`, tensor('float32', [], [i + 2]))]));
  return b.toBytes();
}

/** The input itself, another view of it, constants, and nothing that is computed. */
export function untouched(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  b.output('same', b.op('Identity', [x]));
  b.output('column', b.op('Unsqueeze', [x, b.constant('axis', int64s([1]))]));
  b.output('numbers', b.op('Identity', [b.constant('n', tensor('float32', [2], [3, 4]))]));
  b.output('words', b.op('Identity', [b.constant('w', tensor('string', [2], ['a', 'b']))]));
  return b.toBytes();
}

/** y = 3, whatever is fed: nothing can be. */
export function withoutInputs(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Neg', [b.constant('c', tensor('float32', [], [-3]))]));
  return b.toBytes();
}

/** y = −x. */
export function negation(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Neg', [b.input('x', 'float32', ['n'])]), 'float32', ['n']);
  return b.toBytes();
}

/** y = q · p: `n` is a size of both. */
export function product(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('MatMul', [b.input('q', 'float32', [1, 'n']), b.input('p', 'float32', ['n', 1])]));
  return b.toBytes();
}

/** y = x in the shape that is fed, which need not fit. */
export function reshaped(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Reshape', [b.input('x', 'float32', ['n']), b.input('shape', 'int64', [2])]));
  return b.toBytes();
}

/** y = those of x that are not 0: their places are found during the run, which then plans on. */
export function found(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n']);
  const places = b.op('Squeeze', [b.op('NonZero', [x]), b.constant('axis', int64s([0]))]);
  b.output('y', b.op('Gather', [b.op('Concat', [x, x], { axis: 0 }), places]));
  return b.toBytes();
}

/** y = x spread to `size` elements, which may be more than there is memory. */
export function spread(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.output('y', b.op('Expand', [b.input('x', 'float32', [1]), b.input('size', 'int64', [1])]));
  return b.toBytes();
}

/** y = x · 2 ^ `times`, by a loop that takes that many rounds. */
export function doubled(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const body = b.subgraph('body', (g: GraphBuilder) => {
    g.input('i', 'int64', []);
    const going = g.input('going', 'bool', []);
    const carried: Value = g.input('carried', 'float32', [1]);
    g.output('goes on', g.op('Identity', [going]));
    g.output('next', g.op('Add', [carried, carried]));
  });
  b.output('y', b.op('Loop', [b.input('times', 'int64', []), null, b.input('x', 'float32', [1])], { body }));
  return b.toBytes();
}

/** y = tanh(positive), positive = relu(doubled), doubled = 2x. */
export function steps(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const two = b.constant('weight', tensor('float32', [1], [2]));
  const [twice] = b.node('Mul', [b.input('x', 'float32', ['n']), two], {}, { outputs: ['doubled'] });
  const [positive] = b.node('Relu', [twice], {}, { outputs: ['positive'] });
  b.output('y', b.op('Tanh', [positive]), 'float32', ['n']);
  return b.toBytes();
}

/** A cache that grows by the rows of x, and the sum of all that it holds. */
export function cache(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const past = b.input('past_key_values.0.key', 'float32', [1, 1, 'past', 2]);
  const x = b.input('x', 'float32', [1, 1, 'rows', 2]);
  const present = b.op('Concat', [past, x], { axis: 2 });
  b.output('sum', b.op('ReduceSum', [present], { keepdims: 0 }), 'float32', []);
  b.output('present.0.key', present, 'float32', [1, 1, 'total', 2]);
  return b.toBytes();
}
