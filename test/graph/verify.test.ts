import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, Node, Value } from '../../src/graph/graph.js';
import { symbol } from '../../src/graph/sizes.js';
import { tensorType } from '../../src/graph/types.js';
import { verifyGraph } from '../../src/graph/verify.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { expectError } from '../expect-error.js';

const test = suite('the verifier');

const value = (name: string, rest: Partial<Value> = {}): Value => ({ name, ...rest });

const node = (op: string, inputs: (Value | null)[], outputs: (Value | null)[], body?: Graph): Node => ({
  name: `${op}_0`,
  domain: '',
  op,
  inputs,
  outputs,
  attributes: body ? { body: { type: 'graph', value: body } } : {},
});

const graph = (inputs: Value[], nodes: Node[], outputs: Value[]): Graph => ({ name: 'g', inputs, nodes, outputs });

const two: TensorValue = { type: 'float32', dims: [2], data: new Float32Array(2) };

const [x, a, b, y] = ['x', 'a', 'b', 'y'].map((name) => value(name)) as [Value, Value, Value, Value];
const w = value('w', { type: tensorType('float32', [symbol('n')]), constant: two });

test('sound graphs pass', () => {
  verifyGraph(graph([x], [node('A', [x, null, w], [a, null]), node('B', [a], [y])], [y, x, w]));
  const body = graph([b], [node('C', [b, a, w], [y])], [y]);
  verifyGraph(graph([x], [node('A', [x], [a]), node('Loop', [a], [], body)], [a]));
});

test('siblings may not share values, but may share names', () => {
  const branch = (out: Value) => graph([], [node('C', [x], [out])], [out]);
  const choose = (first: Value, second: Value) =>
    verifyGraph(graph([x], [node('If', [x], [], branch(first)), node('If', [x], [], branch(second))], []));
  choose(value('o'), value('o'));
  expectError('INVALID_GRAPH', /^C "C_0", value "a": is made twice/, () => choose(a, a));
});

const wrong = (type: Value['type'], constant: TensorValue) =>
  graph([], [], [value('c', { ...(type && { type }), constant })]);

const REFUSED: readonly [what: string, message: RegExp, graph: Graph][] = [
  ['an undefined input', /^A "A_0", value "b": is used before/, graph([x], [node('A', [b], [a])], [a])],
  [
    'a use before the producer',
    /^B "B_0", value "a": is used before/,
    graph([x], [node('B', [a], [y]), node('A', [x], [a])], [y]),
  ],
  ['an undefined output', /^value "y": is used before/, graph([x], [], [y])],
  ['two producers', /^B "B_0", value "a": is made twice/, graph([x], [node('A', [x], [a]), node('B', [x], [a])], [a])],
  ['a node that makes an input', /^A "A_0", value "x": is made twice/, graph([x], [node('A', [x], [x])], [x])],
  [
    'an inner value used outside',
    /^B "B_0", value "a": is out of scope/,
    graph([x], [node('If', [x], [], graph([], [node('A', [x], [a])], [a])), node('B', [a], [y])], [y]),
  ],
  [
    'an inner output that is undefined',
    /^value "a": is used before/,
    graph([x], [node('If', [x], [y], graph([], [], [a]))], [y]),
  ],
  [
    'a constant of other dims',
    /"c": the constant is float32\[2\], its type float32\[3\]/,
    wrong(tensorType('float32', [3]), two),
  ],
  ['a constant of another rank', /its type float32\[\]/, wrong(tensorType('float32', []), two)],
  ['a constant of another type', /its type int32\[n\]/, wrong(tensorType('int32', [symbol('n')]), two)],
  [
    'a constant that is no sequence',
    /its type seq\(float32\[…\]\)/,
    wrong({ kind: 'sequence', of: tensorType('float32') }, two),
  ],
  [
    'a constant cut short',
    /float32\[3\] needs 3 entries of data; there are 2/,
    wrong(undefined, { ...two, dims: [3] }),
  ],
];

for (const [what, message, refused] of REFUSED)
  test(`${what} is refused`, () => expectError('INVALID_GRAPH', message, () => verifyGraph(refused)));

test('packed and complex constants have their own lengths', () => {
  for (const constant of [
    { type: 'int4', dims: [3], data: new Int8Array(2) },
    { type: 'complex64', dims: [3], data: new Float32Array(6) },
    { type: 'string', dims: [], data: ['a'] },
  ] as const)
    assert.not.throws(() => verifyGraph(wrong(undefined, constant)));
});

test.run();
