import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Model } from '../../../src/model/document/model.js';
import { toNumber } from '../../../src/model/int64.js';
import { addPrefix, expandOutDim, type MergeOptions, mergeModels } from '../../../src/tools/surgery/index.js';
import { errorsOf, graphOf, model, names, operators, says } from './models.js';

// What ONNX's compose_test.py demands, and subgraphs, functions, notes and training besides.

const test = suite('merging models');

const OLD = 'ir_version: 7, opset_import: ["": 10, "com.microsoft": 1]';

const first = model(
  `agraph (float[N, M] A0, float[N, M] A1, float[N, M] _A) => (float[N, M] B00, float[N, M] B10, float[N, M] B20) {
    B00 = Add(A0, A1)
    B10 = Sub(A0, A1)
    B20 = Mul(A0, A1)
  }`,
  OLD,
);

const second = model(
  `agraph (float[N, M] B01, float[N, M] B11, float[N, M] B21) => (float[N, M] D0) {
    C0 = Add(B01, B11)
    C1 = Sub(B11, B21)
    D0 = Mul(C0, C1)
  }`,
  OLD,
);

type Map = MergeOptions['map'];

interface Expected {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly nodes: readonly string[];
}

const found = (merged: Model): Expected => ({
  inputs: names(graphOf(merged).input),
  outputs: names(graphOf(merged).output),
  nodes: operators(merged),
});

const ALL: Map = [
  ['B00', 'B01'],
  ['B10', 'B11'],
  ['B20', 'B21'],
];
const ONE: Map = [
  ['B00', 'B01'],
  ['B00', 'B11'],
  ['B00', 'B21'],
];
const SIX = ['Add', 'Sub', 'Mul', 'Add', 'Sub', 'Mul'];

const CASES: readonly (readonly [what: string, options: MergeOptions, expected: Expected])[] = [
  ['all outputs to all inputs', { map: ALL }, { inputs: ['A0', 'A1', '_A'], outputs: ['D0'], nodes: SIX }],
  [
    'one output to three inputs',
    { map: ONE },
    { inputs: ['A0', 'A1', '_A'], outputs: ['B10', 'B20', 'D0'], nodes: SIX },
  ],
  [
    'some of the outputs',
    { map: ONE, outputs: ['D0'] },
    { inputs: ['A0', 'A1', '_A'], outputs: ['D0'], nodes: ['Add', 'Add', 'Sub', 'Mul'] },
  ],
  [
    'what is not connected stays open',
    { map: ALL.slice(0, 2) },
    { inputs: ['A0', 'A1', '_A', 'B21'], outputs: ['B20', 'D0'], nodes: SIX },
  ],
  [
    'a connected value as an output',
    { map: ALL, outputs: ['B00', 'D0'] },
    { inputs: ['A0', 'A1', '_A'], outputs: ['B00', 'D0'], nodes: SIX },
  ],
];

for (const [what, options, expected] of CASES)
  test(what, async () => {
    const merged = mergeModels(first, second, options);
    assert.equal(found(merged), expected);
    assert.equal(await errorsOf(merged), []);
  });

const twice = model('agraph (float[N] A) => (float[N] B) { B = Add(A, A) }');

test('an output and an input of one name are one value', async () => {
  const other = model('agraph (float[N] B) => (float[N] C) { C = Add(B, B) }');
  const merged = mergeModels(twice, other, { map: [['B', 'B']] });
  assert.equal(found(merged), { inputs: ['A'], outputs: ['C'], nodes: ['Add', 'Add'] });
  assert.equal(await errorsOf(merged), []);
});

test('inputs and outputs that are not named go, with what only they need', async () => {
  const both = (from: string, to: string) =>
    model(`agraph (float[N] A${from}, float[N] B${from}) => (float[N] A${to}, float[N] B${to}) {
      A${to} = Add(A${from}, A${from})
      B${to} = Sub(B${from}, B${from})
    }`);
  const options = { map: [['A1', 'B2']] as const, inputs: ['A0'], outputs: ['B3'] };
  const merged = mergeModels(both('0', '1'), both('2', '3'), options);
  assert.equal(found(merged), { inputs: ['A0'], outputs: ['B3'], nodes: ['Add', 'Sub'] });
  assert.equal(await errorsOf(merged), []);
  assert.throws(
    () => mergeModels(both('0', '1'), both('2', '3'), { ...options, outputs: ['A3'] }),
    says('also depend on "A2"'),
  );
});

test('a model behind itself, by prefixes', async () => {
  const sum = model('agraph (float[N] A, float[N] B) => (float[N] C) { C = Add(A, B) }');
  const merged = mergeModels(sum, sum, { map: [['C', 'A']], prefix1: 'm1/', prefix2: 'm2/' });
  assert.equal(found(merged), { inputs: ['m1/A', 'm1/B', 'm2/B'], outputs: ['m2/C'], nodes: ['Add', 'Add'] });
  assert.equal(await errorsOf(merged), []);
  assert.throws(() => mergeModels(sum, sum, { map: [['C', 'A']] }), says('"B"; set prefix1 or prefix2'));
});

test('names that both have inside are told apart, in subgraphs too', async () => {
  const inner = (from: string, to: string) =>
    model(`agraph (float[2] ${from}, bool c${from}) => (float[2] ${to}) <float[2] w = {1, 2}> {
      t = Add(${from}, w)
      ${to} = If(c${from}) <
        then_branch = g () => (float[2] y) { y = Mul(t, w) },
        else_branch = h () => (float[2] z) { z = Identity(t) }>
    }`);
  const merged = mergeModels(inner('a', 'b'), inner('p', 'q'), { map: [['b', 'p']] });
  assert.equal(names(graphOf(merged).initializer), ['w', 'w_2']);
  assert.equal(graphOf(merged).node[2]?.input, ['b', 'w_2']);
  assert.equal(graphOf(merged).node[3]?.attribute[0]?.g?.node[0]?.input, ['t_2', 'w_2']);
  assert.equal(await errorsOf(merged), []);
});

test('what cannot be connected is refused', () => {
  const refusal = (map: Map, part: string) => assert.throws(() => mergeModels(first, second, { map }), says(part));
  refusal([['wrong', 'B01']], 'the first model has no output "wrong"; it has "B00", "B10", "B20"');
  refusal([['B00', 'wrong']], 'the second model has no input "wrong"');
  refusal(
    [
      ['B00', 'B01'],
      ['B10', 'B01'],
    ],
    'inputs of map: duplicate names "B01"',
  );
  const other = model('agraph (int64[N, M] X) => (int64[N, M] Y) { Y = Add(X, X) }', OLD);
  assert.throws(
    () => mergeModels(first, other, { map: [['B00', 'X']] }),
    says('cannot connect the output "B00" of type float32[N,M]'),
  );
});

test('IR and opset versions agree', () => {
  const at = (ir: number, opset: number, x: string, y: string) =>
    model(
      `agraph (float[N, M] ${x}) => (float[N, M] ${y}) { ${y} = Add(${x}, ${x}) }`,
      `ir_version: ${ir}, opset_import: ["": ${opset}]`,
    );
  const map: Map = [['Y0', 'X1']];
  assert.throws(
    () => mergeModels(at(7, 13, 'X0', 'Y0'), at(6, 13, 'X1', 'Y1'), { map }),
    says('different IR versions, 7 and 6'),
  );
  assert.throws(
    () => mergeModels(at(7, 13, 'X0', 'Y0'), at(7, 15, 'X1', 'Y1'), { map }),
    says('import ai.onnx 13 and 15'),
  );
});

test('metadata are joined, unless they contradict', () => {
  const props = (made: Model, text: string) => model(`agraph ${made}`, `${OLD}, metadata_props: [${text}]`);
  const a = (text: string) => props('(float[N] X0) => (float[N] Y0) { Y0 = Abs(X0) }' as never, text);
  const b = (text: string) => props('(float[N] X1) => (float[N] Y1) { Y1 = Abs(X1) }' as never, text);
  const map: Map = [['Y0', 'X1']];
  const keys = (one: Model, other: Model) => mergeModels(one, other, { map }).proto.metadataProps.map(({ key }) => key);
  assert.equal(keys(a('"p1": "v1", "p2": "v2"'), b('"p3": "v3"')), ['p1', 'p2', 'p3']);
  assert.equal(keys(a('"p1": "v1", "p2": "v2"'), b('"p1": "v1"')), ['p1', 'p2']);
  assert.throws(() => keys(a('"p1": "v1"'), b('"p1": "v5"')), says('different metadata "p1": "v1" and "v5"'));
});

const LOCAL = 'ir_version: 10, opset_import: ["": 20, "local": 10]';

const calling = (op: string) =>
  model(
    `g (float x0, float x1) => (float y) { y = local.f1(x0, x1) }
    <domain: "local", opset_import: ["": 20]> f1 (a, b) => (c) { c = ${op}(a, b) }`,
    LOCAL,
  );

test('functions of one name are told apart by prefixes', async () => {
  const map: Map = [
    ['y', 'x0'],
    ['y', 'x1'],
  ];
  const merged = mergeModels(calling('Add'), calling('Mul'), { map, prefix1: 'm1/', prefix2: 'm2/' });
  assert.equal(operators(merged), ['m1/f1', 'm2/f1']);
  assert.equal(names(merged.proto.functions), ['m1/f1', 'm2/f1']);
  assert.equal(await errorsOf(merged), []);
  assert.throws(
    () => mergeModels(calling('Add'), calling('Mul'), { map }),
    says('both models have the functions "f1"'),
  );
});

test('a prefix goes before all names, wherever they are mentioned', async () => {
  const before = model(
    `agraph (bool b, float[2] X, float[2] Y, bool unused) => (float[2] Z) <float[2] w = {1, 2}, float[2] T> {
      T = Mul(X, w)
      [pick] Z = If (b) <
        then_branch = g1 () => (float[2] z_then) { z_then = Add(T, X) },
        else_branch = g2 () => (float[2] z_else) { z_else = local.f(Y) }>
    }
    <domain: "local", opset_import: ["": 20]> f (x) => (y) { y = Sub(x, x) }`,
    LOCAL,
  );
  const after = addPrefix(before, 'p/');
  const graph = graphOf(after);
  assert.equal(names(graph.input), ['p/b', 'p/X', 'p/Y', 'p/unused']);
  assert.equal(names(graph.output), ['p/Z']);
  assert.equal(names(graph.initializer), ['p/w']);
  assert.equal(names(graph.valueInfo), ['p/T']);
  assert.equal(graph.node[1]?.name, 'p/pick');
  const [then, otherwise] = graph.node[1]?.attribute.map(({ g }) => g?.node[0]) ?? [];
  assert.equal([then?.input, then?.output], [['p/T', 'p/X'], ['p/z_then']]);
  assert.equal([otherwise?.opType, otherwise?.input], ['p/f', ['p/Y']]);
  assert.equal(await errorsOf(after), []);
});

const EDGES = model(
  `agraph (float[2] A) => (float[2] C) <float[2] w = {1, 2}, float[2] B> { [n] B = Add(A, w)  C = Abs(B) }`,
);
const OFF = {
  renameNodes: false,
  renameEdges: false,
  renameInputs: false,
  renameOutputs: false,
  renameInitializers: false,
  renameValueInfos: false,
  renameFunctions: false,
};

const FLAGS: readonly (readonly [flag: keyof typeof OFF, values: readonly string[]])[] = [
  ['renameNodes', ['A', 'w', 'B', 'C']],
  ['renameEdges', ['A', 'w', 'p_B', 'C']],
  ['renameInputs', ['p_A', 'w', 'B', 'C']],
  ['renameOutputs', ['A', 'w', 'B', 'p_C']],
  ['renameInitializers', ['A', 'p_w', 'B', 'C']],
  ['renameValueInfos', ['A', 'w', 'p_B', 'C']],
];

for (const [flag, values] of FLAGS)
  test(`a prefix by ${flag} alone`, async () => {
    const after = addPrefix(EDGES, 'p_', { ...OFF, [flag]: true });
    const [add, abs] = graphOf(after).node;
    assert.equal([...(add?.input ?? []), ...(add?.output ?? []), ...(abs?.output ?? [])], values);
    assert.is(add?.name, flag === 'renameNodes' ? 'p_n' : 'n');
    assert.equal(await errorsOf(after), []);
  });

test('no prefix at all is the very same model, and one that meets a name is refused', () => {
  assert.is(addPrefix(EDGES, 'p_', OFF), EDGES);
  const taken = model('agraph (float[2] A) => (float[2] C) { xA = Abs(A)  C = Abs(xA) }');
  assert.throws(
    () => addPrefix(taken, 'x', { ...OFF, renameInputs: true }),
    says('rename values to "xA", which already exist'),
  );
});

for (const [opset, constants] of [
  [11, 0],
  [20, 3],
] as const)
  for (const [axis, at] of [
    [0, 0],
    [2, 2],
    [-1, 2],
    [-3, 0],
  ] as const)
    test(`another dimension of the outputs at ${axis}, opset ${opset}`, async () => {
      const before = model(
        `agraph (float[3, 4] A) => (float[3, 4] B, float[3, 4] C, float[3, 4] D) { B = Abs(A)  C = Neg(B)  D = Neg(C) }`,
        `ir_version: 8, opset_import: ["": ${opset}]`,
      );
      const after = expandOutDim(before, axis);
      const dims = graphOf(after).output.map(({ type }) =>
        type?.tensorType?.shape?.dim.map((dim) => toNumber(dim.dimValue ?? -1)),
      );
      const expected = [3, 4].toSpliced(at, 0, 1);
      assert.equal(dims, [expected, expected, expected]);
      assert.equal(names(graphOf(after).output), ['B', 'C', 'D']);
      assert.is(graphOf(after).initializer.length, constants);
      assert.equal(await errorsOf(after), []);
    });

test('a dimension where there is none to be is refused', () => {
  assert.throws(() => expandOutDim(twice, 2), says('axis: expected -2 to 1'));
});

test.run();
