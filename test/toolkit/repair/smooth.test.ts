import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { Value } from '../../../src/graph/graph.js';
import { edit, type Model, quantizeStatic, smooth } from '../../../src/tools/index.js';
import type { EditedValue } from '../../../src/tools/surgery/edit/graph.js';
import { expectRejection } from '../../expect-error.js';
import { checked, distance, evenly, loaded, run } from '../quantize/runs.js';
import { scoreOf, witnessed } from '../witnesses/judge.js';

const test = suite('smoothing');

const WIDTH = 8;

const row = (b: ModelBuilder, name: string, seed: number): Value =>
  b.constant(
    name,
    tensor(
      'float32',
      [WIDTH],
      evenly(WIDTH, seed).map((x, i) => (1 + x / 2) * (i === 3 ? 50 : 1)),
    ),
  );

const matrix = (b: ModelBuilder, name: string, columns: number, seed: number): Value =>
  b.constant(name, tensor('float32', [WIDTH, columns], evenly(WIDTH * columns, seed)));

type Norm = (b: ModelBuilder, x: Value) => Value;

const NORMS: Record<string, Norm> = {
  LayerNormalization: (b, x) => b.op('LayerNormalization', [x, row(b, 'scale', 1), row(b, 'shift', 2)]),
  'Mul and Add': (b, x) => b.op('Add', [b.op('Mul', [b.op('Tanh', [x]), row(b, 'scale', 1)]), row(b, 'shift', 2)]),
  'Mul, the constant first': (b, x) => b.op('Mul', [row(b, 'scale', 1), b.op('Tanh', [x])]),
};

function modelOf(norm: Norm, more: (b: ModelBuilder, normed: Value) => void = () => {}): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const normed = norm(b, b.input('x', 'float32', ['n', WIDTH]));
  const up = b.op('MatMul', [normed, matrix(b, 'up', 5, 3)]);
  const gate = b.op('Gemm', [normed, matrix(b, 'gate', 5, 4)]);
  b.output('y', b.op('Mul', [up, gate]), 'float32', ['n', 5]);
  more(b, normed);
  return b.toBytes();
}

const feeds = [1, 2, 3].map((seed) => ({ x: tensor('float32', [4, WIDTH], evenly(4 * WIDTH, seed)) }));

async function constants(model: Model): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  await edit(model, async (graph) => {
    for (const value of graph.constants) found.set(value.name, (await value.tensor())?.data as Float32Array);
  });
  return found;
}

for (const [name, norm] of Object.entries(NORMS))
  for (const alpha of ['auto', 0.5] as const)
    test(`${name}, alpha ${alpha}: results stay, columns come nearer`, async () => {
      const bytes = modelOf(norm);
      const smoothed = await smooth(await loaded(bytes), feeds, { alpha });
      const scale = (await constants(smoothed)).get('scale') as Float32Array;
      const before = (await constants(await loaded(bytes))).get('scale') as Float32Array;
      const spread = (values: Float32Array) => Math.max(...values) / Math.min(...values);
      assert.ok(spread(scale) < spread(before) / 3, `${spread(scale)} of ${spread(before)}`);
      const [x] = feeds as [(typeof feeds)[0]];
      assert.ok(distance((await run(await checked(smoothed), x)).y, (await run(bytes, x)).y) < 1e-6);
    });

test('alpha 1 moves all that columns reach into the weights, 0 all that weights reach into columns', async () => {
  const norm = NORMS['Mul, the constant first'] as Norm;
  const weights = await constants(await smooth(await loaded(modelOf(norm)), feeds, { alpha: 0 }));
  for (let i = 0; i < WIDTH; i++) {
    const rows = ['up', 'gate'].flatMap((name) => [...(weights.get(name)?.subarray(i * 5, i * 5 + 5) ?? [])]);
    assert.ok(Math.abs(Math.max(...rows.map(Math.abs)) - 1) < 1e-6);
  }
  const scale = (await constants(await smooth(await loaded(modelOf(norm)), feeds, { alpha: 1 }))).get('scale');
  const inputs = feeds.flatMap(({ x }) => [...(x.data as Float32Array)]);
  scale?.forEach((factor, i) => {
    const reach = Math.max(...inputs.filter((_, at) => at % WIDTH === i).map((x) => Math.abs(Math.tanh(x) * factor)));
    assert.ok(Math.abs(reach - 1) < 1e-5, `${reach}`);
  });
});

test('what others read too, or is an output, stays', async () => {
  for (const more of [
    (b: ModelBuilder, normed: Value) => b.output('normed', normed, 'float32', ['n', WIDTH]),
    (b: ModelBuilder, normed: Value) => b.output('z', b.op('Relu', [normed]), 'float32', ['n', WIDTH]),
  ]) {
    const model = await loaded(modelOf(NORMS.LayerNormalization as Norm, more));
    assert.is(await smooth(model, feeds), model);
  }
});

test('alpha is from 0 to 1', async () => {
  const model = await loaded(modelOf(NORMS.LayerNormalization as Norm));
  await expectRejection('INVALID_ARGUMENT', /from 0 to 1/, smooth(model, feeds, { alpha: 2 }));
  await expectRejection('INVALID_ARGUMENT', /no samples/, smooth(model, []));
});

/** Columns of what norms give that reach far, as those of large language models do; the next weights are as much less. */
const withOutliers = (model: Model): Promise<Model> =>
  edit(model, async (graph) => {
    for (const norm of graph.nodes.filter(({ op }) => op === 'LayerNormalization')) {
      const [normed] = norm.outputs;
      const factor = (i: number) => (i % 16 === 5 ? 40 : 1);
      const scaled = async (value: EditedValue | null | undefined, by: (at: number) => number) => {
        const old = await value?.tensor();
        if (value && old)
          value.data = tensor(
            'float32',
            old.dims,
            (old.data as Float32Array).map((x, at) => x * by(at)),
          );
      };
      await scaled(norm.inputs[1], factor);
      await scaled(norm.inputs[2], factor);
      for (const reader of normed?.readers ?? []) {
        const columns = (await reader.inputs[1]?.tensor())?.dims[1] as number;
        await scaled(reader.inputs[1], (at) => 1 / factor(Math.floor(at / columns)));
      }
    }
  });

test('a transformer with columns that reach far is quantised as well as one without', async () => {
  const { witness, feeds } = await witnessed('letters');
  const far = await withOutliers(witness.model);
  assert.ok(Math.abs((await scoreOf('letters', far)) - (witness.scores.nats as number)) < 1e-4);
  const added = async (model: Model) => {
    const quantized = await quantizeStatic(model, feeds, { types: ['MatMul'], perChannel: true });
    return Math.exp((await scoreOf('letters', quantized)) - (witness.scores.nats as number)) - 1;
  };
  const [plain, rough, smoothed] = [
    await added(witness.model),
    await added(far),
    await added(await smooth(far, feeds)),
  ];
  assert.ok(rough > 2 * plain && smoothed < 1.1 * plain, `${plain}; ${rough}, smoothed ${smoothed}`);
});

test.run();
