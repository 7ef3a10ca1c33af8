import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { edit, equalize, type Model } from '../../../src/tools/index.js';
import { checked, distance, evenly, loaded, run } from '../quantize/runs.js';
import { scoreOf, witnessed } from '../witnesses/judge.js';

const test = suite('equalisation');

type Layer = (b: ModelBuilder, x: Value, index: number) => Value;

/** Numbers of which those of each row reach elsewhere. */
function uneven(dims: readonly number[], seed: number): Float32Array {
  const values = evenly(
    dims.reduce((product, dim) => product * dim, 1),
    seed,
  );
  const row = values.length / (dims[0] as number);
  return values.map((x, i) => x * 4 ** ((Math.floor(i / row) % 5) - 2));
}

/** A layer with a weight and, where its length is given, a bias. */
const layer =
  (op: string, dims: readonly number[], bias: number, attributes: Record<string, number | number[]> = {}): Layer =>
  (b, x, index) => {
    const weight = b.constant(`w${index}`, tensor('float32', dims, uneven(dims, index + 1)));
    const added = bias ? [b.constant(`b${index}`, tensor('float32', [bias], evenly(bias, index + 50)))] : [];
    return b.op(op, [x, weight, ...added], attributes);
  };

const plain =
  (op: string, attributes: Record<string, number | number[]> = {}): Layer =>
  (b, x) =>
    b.op(op, [x], attributes);

/** Batch normalisation, of which deviations reach from a 16th to `most` fourths. */
const norm =
  (channels: number, most = 4): Layer =>
  (b, x, index) => {
    const part = (name: string, at: (x: number, i: number) => number) =>
      b.constant(`${name}${index}`, tensor('float32', [channels], evenly(channels, index + 9).map(at)));
    const parts = [
      part('scale', (x, i) => (0.5 + 0.25 * x) * most * 4 ** ((i % 4) - 3)),
      part('shift', (x) => x),
      part('mean', (x) => x / 3),
      part('variance', (x) => 1.5 + x),
    ];
    return b.op('BatchNormalization', [x, ...parts]);
  };

const clip: Layer = (b, x, index) => {
  const bound = (name: string, value: number) => b.constant(`${name}${index}`, tensor('float32', [], [value]));
  return b.op('Clip', [x, bound('least', 0), bound('most', 6)]);
};

function modelOf(layers: readonly Layer[], dims: readonly number[], rank = dims.length + 1): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  let x = b.input('x', 'float32', ['n', ...dims]);
  for (const [index, layer] of layers.entries()) x = layer(b, x, index);
  b.output('y', x, 'float32', ['n', ...'cdefg'.slice(0, rank - 1)]);
  return b.toBytes();
}

/** Which numbers of a weight belong together: as rows, or as columns of groups. */
interface Side {
  readonly name: string;
  readonly way: 'rows' | 'columns';
  readonly groups?: number;
}

interface Chain {
  readonly layers: readonly Layer[];
  readonly dims: readonly number[];
  readonly rank?: number;
  readonly pairs: readonly (readonly [Side, Side])[];
}

const rowsOf = (name: string): Side => ({ name, way: 'rows' });
const columnsOf = (name: string, groups = 1): Side => ({ name, way: 'columns', groups });

const CHAINS: Record<string, Chain> = {
  'Conv, Relu, Conv': {
    layers: [layer('Conv', [6, 3, 3, 3], 6), plain('Relu'), layer('Conv', [4, 6, 1, 1], 0)],
    dims: [3, 8, 8],
    pairs: [[rowsOf('w0'), columnsOf('w2')]],
  },
  'a depthwise triple with batch normalisations': {
    layers: [
      layer('Conv', [8, 3, 1, 1], 0),
      norm(8),
      plain('Relu'),
      layer('Conv', [8, 1, 3, 3], 0, { group: 8, pads: [1, 1, 1, 1] }),
      norm(8),
      plain('Relu'),
      layer('Conv', [4, 8, 1, 1], 4),
      norm(4),
    ],
    dims: [3, 8, 8],
    pairs: [
      [rowsOf('w0'), columnsOf('w3', 8)],
      [rowsOf('w3'), columnsOf('w6')],
    ],
  },
  'groups, LeakyRelu, MaxPool, ConvTranspose': {
    layers: [
      layer('Conv', [8, 2, 3, 3], 8, { group: 2 }),
      plain('LeakyRelu'),
      plain('MaxPool', { kernel_shape: [2, 2] }),
      layer('ConvTranspose', [8, 3, 2, 2], 6, { group: 2 }),
      layer('Conv', [2, 6, 1, 1], 0),
    ],
    dims: [4, 8, 8],
    pairs: [
      [rowsOf('w0'), rowsOf('w3')],
      [columnsOf('w3', 2), columnsOf('w4')],
    ],
  },
  'Conv, GlobalAveragePool, Flatten, Gemm, Relu, Gemm': {
    layers: [
      layer('Conv', [6, 3, 3, 3], 6),
      plain('Relu'),
      plain('GlobalAveragePool'),
      plain('Flatten'),
      layer('Gemm', [6, 10], 10),
      plain('Relu'),
      layer('Gemm', [4, 10], 4, { transB: 1 }),
    ],
    dims: [3, 8, 8],
    rank: 2,
    pairs: [
      [rowsOf('w0'), rowsOf('w4')],
      [columnsOf('w4'), columnsOf('w6')],
    ],
  },
};

type Weights = ReadonlyMap<string, TensorValue>;

async function weightsOf(model: Model): Promise<Weights> {
  const found = new Map<string, TensorValue>();
  await edit(model, async (graph) => {
    for (const value of graph.constants) found.set(value.name, (await value.tensor()) as TensorValue);
  });
  return found;
}

const numbersOf = (weights: Weights, name: string) => weights.get(name)?.data as Float32Array;

/** How far the numbers of each channel reach. */
function reachesOf(weights: Weights, { name, way, groups = 1 }: Side): number[] {
  const [rows = 1, columns = 1, ...kernel] = weights.get(name)?.dims ?? [];
  const size = kernel.reduce((a, b) => a * b, 1);
  const reaches: number[] = [];
  numbersOf(weights, name).forEach((value, i) => {
    const [row, column] = [Math.floor(i / size / columns), Math.floor(i / size) % columns];
    const channel = way === 'rows' ? row : Math.floor((row * groups) / rows) * columns + column;
    reaches[channel] = Math.max(reaches[channel] ?? 0, Math.abs(value));
  });
  return reaches;
}

for (const [name, { layers, dims, rank, pairs }] of Object.entries(CHAINS))
  test(`${name}: results stay, weights reach equally far`, async () => {
    const bytes = modelOf(layers, dims, rank);
    const after = await equalize(await loaded(bytes));
    const weights = await weightsOf(after);
    for (const [first, second] of pairs) {
      const [left, right] = [reachesOf(weights, first), reachesOf(weights, second)];
      assert.is(left.length, right.length);
      const ratios = left.map((reach, c) => reach / (right[c] as number));
      assert.ok(Math.max(...ratios) < 1.01 && Math.min(...ratios) > 0.99, `${first.name}: ${ratios}`);
    }
    const x = tensor('float32', [2, ...dims], evenly(2 * dims.reduce((a, b) => a * b), 3));
    assert.ok(distance((await run(await checked(after), { x })).y, (await run(bytes, { x })).y) < 1e-6);
  });

test('both sides of a channel reach √(r₁r₂)', async () => {
  const layers = [layer('Gemm', [2, 2], 0, { transB: 1 }), plain('Relu'), layer('Gemm', [1, 2], 0, { transB: 1 })];
  const values: Record<string, number[]> = { w0: [8, -4, 0.5, 0.25], w2: [0.5, -2] };
  const model = await edit(await loaded(modelOf(layers, [2])), (graph) => {
    for (const [name, data] of Object.entries(values)) {
      const value = graph.value(name);
      if (value) value.data = tensor('float32', name === 'w0' ? [2, 2] : [1, 2], data);
    }
  });
  const found = await weightsOf(await equalize(model));
  assert.equal([...numbersOf(found, 'w0')], [2, -1, 1, 0.5]);
  assert.equal([...numbersOf(found, 'w2')], [2, -1]);
});

test('Clip stays where nothing tells that it hardly cuts, or where it does cut', async () => {
  const opsOf = ({ proto }: Model) => proto.graph?.node.map(({ opType }) => opType).join(' ');
  const [first, second] = [layer('Conv', [4, 3, 1, 1], 0), layer('Conv', [4, 4, 1, 1], 0)];
  const untold = await loaded(modelOf([first, clip, second], [3, 4, 4]));
  assert.is(opsOf(await equalize(untold)), 'Conv Clip Conv');
  assert.is(opsOf(await equalize(untold, { clips: 'drop' })), 'Conv Relu Conv');
  const told = await loaded(modelOf([first, norm(4, 2), clip, second], [3, 4, 4]));
  assert.is(opsOf(await equalize(told)), 'Conv Relu Conv');
  const cut = await loaded(modelOf([first, norm(4, 100), clip, second], [3, 4, 4]));
  assert.is(opsOf(await equalize(cut)), 'Conv Clip Conv');
});

test('what others read, and what is an output, is left alone', async () => {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', ['n', 4]);
  const w = b.constant('w', tensor('float32', [4, 4], uneven([4, 4], 1)));
  const hidden = b.op('Relu', [b.op('Gemm', [x, w])]);
  b.output('hidden', hidden, 'float32', ['n', 4]);
  b.output('y', b.op('Gemm', [hidden, w]), 'float32', ['n', 4]);
  const model = await loaded(b.toBytes());
  assert.is(await equalize(model), model);
});

test('what is far above 0 goes into the next bias', async () => {
  const far: Layer = (b, x) => {
    const part = (name: string, value: number) =>
      b.constant(name, tensor('float32', [4], new Float32Array(4).fill(value)));
    return b.op('BatchNormalization', [x, part('scale', 0.5), part('shift', 8), part('mean', 0), part('variance', 1)]);
  };
  const layers = [layer('Conv', [4, 3, 1, 1], 0), far, plain('Relu'), layer('Conv', [4, 4, 1, 1], 0)];
  const before = await loaded(modelOf(layers, [3, 4, 4]));
  const [moved, kept] = [await equalize(before), await equalize(before, { absorb: false })];
  const biasOf = async (model: Model, name: string) => [...numbersOf(await weightsOf(model), name)];
  const [low, high] = [await biasOf(moved, 'w0_bias'), await biasOf(kept, 'w0_bias')];
  low.forEach((value, c) => {
    assert.ok(Math.abs(value / (high[c] as number) - 1.5 / 8) < 1e-6);
  });
  const x = tensor(
    'float32',
    [1, 3, 4, 4],
    evenly(48, 3).map((v) => v / 10),
  );
  const [a, b] = [await run(await checked(moved), { x }), await run(await checked(kept), { x })];
  assert.ok(distance(a.y, b.y) < 1e-5);
});

test('glyphs are read as before', async () => {
  const { witness } = await witnessed('glyphs');
  const equal = await equalize(witness.model);
  assert.is(
    equal.proto.graph?.node.some(({ opType }) => opType === 'BatchNormalization'),
    false,
  );
  assert.ok((await scoreOf('glyphs', equal)) >= (witness.scores.accuracy as number) - 0.002);
});

test.run();
