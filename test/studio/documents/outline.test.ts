import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkModel, type FunctionProto, type GraphProto, loadModel } from '../../../src/tools/index.js';
import { CATEGORIES, NodeFlag, type Outline, ValueFlag } from '../../../studio/src/graph/outline.js';
import { modulesOf } from '../../../studio/src/layout/modules.js';
import { outlineOf, outlineOfFunction } from '../../../studio/src/workers/documents/outline-of.js';
import { rehearsalModel } from '../../../studio/src/workers/documents/rehearsal.js';
import { graph, type Op, outline } from '../layout/graphs.js';

const outlines = suite('studio outlines');

const scopes = ({ strings, nodes }: Outline): (string | undefined)[] =>
  Array.from(nodes.scope, (scope) => strings[scope]);
const flagged = ({ nodes }: Outline, flag: number): number[] =>
  [...nodes.flags.keys()].filter((i) => (nodes.flags[i] as number) & flag);
const valueNamed = ({ strings, values }: Outline, name: string): number =>
  Array.from(values.name).findIndex((text) => strings[text] === name);

outlines('takes scopes from names', () => {
  const named = (name: string): Op => ({ type: 'Relu', name });
  const of = outline(['/encoder/layers/0/ln_1/Sub', 'model/conv1/Conv2D', '/Add', 'Add_4', '', '//a//b'].map(named));
  assert.equal(scopes(of), ['encoder/layers/0/ln_1', 'model/conv1', '', '', '', 'a']);
});

outlines("takes scopes and classes from dynamo's metadata", () => {
  const of = outline([
    {
      type: 'MatMul',
      name: 'node_linear_8',
      metadata: {
        'pkg.torch.onnx.name_scopes': "['', 'blocks.2', 'blocks.2.mlp', 'blocks.2.mlp.fc1', 'linear_8']",
        'pkg.torch.onnx.class_hierarchy':
          "['models.Vit', 'models.Block', 'models.Mlp', 'torch.nn.modules.linear.Linear', 'aten.linear.default']",
      },
    },
    {
      type: 'Add',
      name: 'node_add',
      metadata: { namespace: ': models.Vit/blocks.0: models.Block/add: aten.add.Tensor' },
    },
  ]);
  assert.equal(scopes(of), ['blocks.2/mlp/fc1', 'blocks.0']);
  assert.equal(Object.fromEntries(of.classes ?? []), {
    'blocks.2': 'Block',
    'blocks.2/mlp': 'Mlp',
    'blocks.2/mlp/fc1': 'Linear',
    'blocks.0': 'Block',
  });
});

outlines('titles modules by their classes', () => {
  const scoped = (type: string, input: string, output: string): Op => ({
    type,
    inputs: [input],
    outputs: [output],
    metadata: {
      'pkg.torch.onnx.name_scopes': "['', 'mlp', 'x']",
      'pkg.torch.onnx.class_hierarchy': "['M', 'a.Mlp', 'x']",
    },
  });
  const of = outline(
    [scoped('MatMul', 'a', 'b'), scoped('Relu', 'b', 'c'), { type: 'Add', inputs: ['c', 'a'], outputs: ['d'] }],
    ['a'],
    ['d'],
  );
  assert.equal(modulesOf(of).title, ['mlp: Mlp']);
});

outlines('flags what computes nothing but sizes', () => {
  const of = outline(
    [
      { type: 'Shape', inputs: ['x'], outputs: ['s'] },
      { type: 'Gather', inputs: ['s', 'i'], outputs: ['n'] },
      { type: 'Concat', inputs: ['n', 'm'], outputs: ['to'] },
      { type: 'Reshape', inputs: ['x', 'to'], outputs: ['y'] },
      { type: 'Shape', inputs: ['y'], outputs: ['seen'] },
      { type: 'Relu', inputs: ['x'], outputs: ['r'] },
      { type: 'Expand', inputs: ['r', 'r'], outputs: ['z'] },
    ],
    ['x'],
    ['y', 'seen', 'z'],
  );
  assert.equal(flagged(of, NodeFlag.shapeOnly), [0, 1, 2]);
  assert.ok((of.values.flags[valueNamed(of, 'to')] as number) & ValueFlag.shapeOnly);
});

outlines('keeps a cycle of sizes', () => {
  const ring: Op[] = [
    { type: 'Add', inputs: ['b', 'c'], outputs: ['a'] },
    { type: 'Cast', inputs: ['a'], outputs: ['b'] },
    { type: 'Reshape', inputs: ['x', 'b'], outputs: ['y'] },
  ];
  assert.equal(flagged(outline(ring, ['x'], ['y']), NodeFlag.shapeOnly), []);
});

outlines('says what subgraphs read of graphs around them', () => {
  const inner = graph([{ type: 'Add', inputs: ['outer', 'own'], outputs: ['sum'] }], ['own'], ['sum']);
  const twice = graph([{ type: 'If', inputs: ['far'], outputs: ['r'], bodies: [inner] }], [], ['r']);
  const of = outline(
    [
      { type: 'Relu', inputs: ['x'], outputs: ['outer'] },
      { type: 'Loop', inputs: ['n'], outputs: ['z'], bodies: [twice] },
    ],
    ['x', 'far', 'n'],
    ['z'],
  );
  assert.equal(flagged(of, NodeFlag.hasSubgraphs), [1]);
  const captured = of.nodes.captured.values.subarray(of.nodes.captured.start[1], of.nodes.captured.start[2]);
  assert.equal([...captured].map((value) => of.strings[of.values.name[value] as number]).sort(), ['far', 'outer']);
  const inside = outlineOf(twice, { path: '1/body' });
  assert.ok((inside.values.flags[valueNamed(inside, 'outer')] as number) & ValueFlag.captured);
  assert.ok((inside.values.flags[valueNamed(inside, 'far')] as number) & ValueFlag.captured);
});

outlines('knows weights, inputs that are weights, types and functions', () => {
  const weight = { name: 'w', dataType: 1, dims: [4, 2] };
  const shape = { dim: [{ dimParam: 'batch' }, { dimValue: 128 }, {}] };
  const type = { tensorType: { elemType: 10, shape } };
  const proto = graph([{ type: 'Mine', domain: 'me', inputs: ['x', 'w'], outputs: ['y'] }], ['w'], ['y']);
  const full = {
    ...proto,
    initializer: [weight],
    input: [...proto.input, { name: 'x', type }],
  } as unknown as GraphProto;
  const of = outlineOf(full, { functions: new Set(['me:Mine:']) });
  assert.equal([...of.inputs], [valueNamed(of, 'x')]);
  assert.is(of.strings[of.values.type[valueNamed(of, 'x')] as number], 'float16[batch, 128, ?]');
  assert.is(of.strings[of.values.type[valueNamed(of, 'w')] as number], 'float32[4, 2]');
  assert.equal(flagged(of, NodeFlag.isFunctionCall), [0]);
});

outlines("reads a function's body", () => {
  const { node } = graph([{ type: 'Relu', inputs: ['x'], outputs: ['y'] }]);
  const proto = {
    name: 'F',
    domain: 'me',
    input: ['x'],
    output: ['y'],
    node,
    valueInfo: [],
  } as unknown as FunctionProto;
  const of = outlineOfFunction(proto);
  assert.is(of.path, 'function/me:F');
  assert.equal([of.inputs.length, of.outputs.length, of.values.producer[of.outputs[0] as number]], [1, 1, 0]);
});

outlines('gives operators their categories', () => {
  const of = outline(
    ['Conv', 'LayerNormalization', 'Relu', 'QuantizeLinear', 'Loop', 'Unheard'].map((type) => ({ type })),
  );
  const expected = ['product', 'normalization', 'activation', 'quantization', 'control', 'other'];
  assert.equal(
    Array.from(of.nodes.category, (category) => CATEGORIES[category]),
    expected,
  );
});

outlines('takes what is defined twice from where it is defined first', () => {
  const of = outline(
    [
      { type: 'Relu', inputs: ['x'], outputs: ['y'] },
      { type: 'Abs', inputs: ['x'], outputs: ['y'] },
      { type: 'Neg', inputs: ['y'], outputs: ['x'] },
    ],
    ['x'],
  );
  assert.is(of.values.producer[valueNamed(of, 'y')], 0);
  assert.is(of.values.producer[valueNamed(of, 'x')], -1);
});

outlines('rehearses on a model without faults, in which modules repeat', async () => {
  const model = await loadModel(rehearsalModel());
  assert.equal([...(await checkModel(model, { full: true }))], []);
  const of = outlineOf(model.proto.graph as GraphProto);
  assert.is(of.nodes.count, 96);
  assert.is(modulesOf(of).path.filter((path) => /^layers\/\d$/.test(path)).length, 8);
});

outlines('makes an outline of 50,000 nodes', () => {
  const ops = Array.from(
    { length: 50_000 },
    (_, i): Op => ({ type: 'Add', name: `/m/${i % 500}/Add_${i}`, inputs: [`v${i - 1}`, 'x'], outputs: [`v${i}`] }),
  );
  const proto = graph(ops, ['x', 'v-1'], ['v49999']);
  assert.is(outlineOf(proto).nodes.count, 50_000);
});

outlines.run();
