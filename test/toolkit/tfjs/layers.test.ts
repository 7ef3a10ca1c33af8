import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { fromTensorFlowJS, type TensorFlowJSArtifacts } from '../../../src/tools/index.js';
import { assertRuns } from './comparison.js';
import { random, seeded } from './graph-models.js';
import { LAYERS_CASES } from './layers-cases.js';
import { type TensorFlow, tensorflow, tensorIn, tensorOf } from './tensorflow.js';

const test = suite('layers models of TensorFlow.js');
const witness = tensorflow();

// biome-ignore lint/suspicious/noExplicitAny: a tf.LayersModel.
type LayersModel = any;

/** What `model.save` hands on, after its weights became random but always the same. */
async function artifactsOf({ tf }: TensorFlow, model: LayersModel): Promise<TensorFlowJSArtifacts> {
  const next = seeded(5);
  const isVariance = (name: string) => name.includes('variance');
  for (const weight of model.weights) {
    const values = Float32Array.from(
      { length: weight.shape.reduce((a: number, b: number) => a * b, 1) },
      () => next() - 0.5,
    );
    if (isVariance(weight.originalName)) for (const [i, value] of values.entries()) values[i] = value + 1;
    weight.write(tf.tensor(values, weight.shape));
  }
  let saved: TensorFlowJSArtifacts | undefined;
  await model.save(
    tf.io.withSaveHandler(async (artifacts: TensorFlowJSArtifacts) => {
      saved = artifacts;
      return { modelArtifactsInfo: { dateSaved: new Date(), modelTopologyType: 'JSON' } };
    }),
  );
  return saved as TensorFlowJSArtifacts;
}

/** The model says what its conversion says. */
async function assertSame(tensorFlow: TensorFlow, model: LayersModel, feeds: readonly TensorValue[]): Promise<void> {
  const artifacts = await artifactsOf(tensorFlow, model);
  const results = [model.predict(feeds.map((feed) => tensorOf(tensorFlow, feed)))].flat().map(tensorIn);
  const converted = await fromTensorFlowJS(artifacts);
  const { input = [], output = [] } = converted.proto.graph ?? {};
  const given = Object.fromEntries(feeds.map((feed, i) => [input[i]?.name as string, feed]));
  assert.is(output.length, results.length);
  await assertRuns(
    converted,
    given,
    results.map((value, i) => [output[i]?.name as string, value]),
    2e-5,
  );
}

interface Wrapped {
  readonly layer?: string;
  readonly config?: object;
}

for (const [at, { name, layers, feed }] of witness ? LAYERS_CASES.entries() : [])
  test(`${at} ${name}`, async () => {
    const tensorFlow = witness as TensorFlow;
    const make = tensorFlow.layers.layers;
    const model = tensorFlow.layers.sequential();
    for (const [i, [layer, config]] of layers.entries()) {
      const { layer: inner, ...others } = (config ?? {}) as Wrapped;
      const made = inner ? { ...others, config: undefined, layer: make[inner](others.config) } : config;
      model.add(make[layer]({ ...made, ...(i === 0 && { inputShape: feed.dims.slice(1) }) }));
    }
    await assertSame(tensorFlow, model, [feed]);
  });

const graphTest = (name: string, build: (tensorFlow: TensorFlow) => readonly [LayersModel, readonly TensorValue[]]) => {
  if (witness) test(name, async () => assertSame(witness, ...build(witness)));
};

for (const name of ['add', 'multiply', 'average', 'maximum', 'minimum', 'concatenate'])
  graphTest(`${name} of three`, ({ layers }) => {
    const inputs = [0, 1, 2].map(() => layers.input({ shape: [3, 4] }));
    const model = layers.model({ inputs, outputs: layers.layers[name]().apply(inputs) });
    return [model, [1, 2, 3].map((seed) => random([2, 3, 4], -1, 1, seed))];
  });

for (const normalize of [false, true])
  graphTest(`dot, normalize ${normalize}`, ({ layers }) => {
    const inputs = [layers.input({ shape: [6] }), layers.input({ shape: [6] })];
    const model = layers.model({ inputs, outputs: layers.layers.dot({ axes: -1, normalize }).apply(inputs) });
    return [model, [random([2, 6], -1, 1, 1), random([2, 6], -1, 1, 2)]];
  });

graphTest('a residual network, in which a layer is shared and a model is nested', ({ layers }) => {
  const { conv2d, add, batchNormalization, maxPooling2d, flatten, dense, reLU } = layers.layers;
  const x = layers.input({ shape: [8, 8, 3] });
  const first = conv2d({ filters: 8, kernelSize: 3, padding: 'same', useBias: false }).apply(x);
  const shared = conv2d({ filters: 8, kernelSize: 3, padding: 'same', activation: 'relu' });
  const once = shared.apply(batchNormalization().apply(first));
  const sum = add().apply([reLU().apply(shared.apply(once)), first]);
  const pooled = maxPooling2d({ poolSize: 2 }).apply(sum);
  const head = layers.sequential({
    layers: [flatten({ inputShape: [4, 4, 8] }), dense({ units: 5, activation: 'softmax' })],
  });
  return [layers.model({ inputs: x, outputs: [head.apply(pooled), pooled] }), [random([2, 8, 8, 3])]];
});

if (witness)
  test('transpositions are left where an image comes in and where its order counts', async () => {
    const { layers } = witness;
    const { conv2d, add, batchNormalization, depthwiseConv2d, flatten, dense, reLU, zeroPadding2d } = layers.layers;
    const x = layers.input({ shape: [8, 8, 3] });
    const first = reLU({ maxValue: 6 }).apply(
      batchNormalization().apply(conv2d({ filters: 8, kernelSize: 3 }).apply(x)),
    );
    const wide = depthwiseConv2d({ kernelSize: 3, activation: 'swish' }).apply(zeroPadding2d().apply(first));
    const outputs = dense({ units: 2 }).apply(flatten().apply(add().apply([wide, first])));
    const { proto } = await fromTensorFlowJS(await artifactsOf(witness, layers.model({ inputs: x, outputs })));
    assert.is(proto.graph?.node.filter(({ opType }) => opType === 'Transpose').length, 2);
  });

graphTest('an encoder whose states a decoder begins with', ({ layers }) => {
  const [source, target] = [layers.input({ shape: [5, 3] }), layers.input({ shape: [4, 3] })];
  const [, ...states] = layers.layers.lstm({ units: 6, returnState: true }).apply(source);
  const decoded = layers.layers.lstm({ units: 6, returnSequences: true }).apply([target, ...states]);
  const outputs = layers.layers
    .timeDistributed({ layer: layers.layers.dense({ units: 3, activation: 'softmax' }) })
    .apply(decoded);
  return [layers.model({ inputs: [source, target], outputs }), [random([2, 5, 3]), random([2, 4, 3])]];
});

graphTest('sizes of images that are left open', ({ layers }) => {
  const { conv2d, upSampling2d, maxPooling2d, concatenate, conv2dTranspose } = layers.layers;
  const x = layers.input({ shape: [null, null, 2] });
  const down = conv2d({ filters: 4, kernelSize: 3, strides: 2, padding: 'same', activation: 'relu' }).apply(x);
  const deep = maxPooling2d({ poolSize: 2, padding: 'same' }).apply(down);
  const up = conv2dTranspose({ filters: 4, kernelSize: 3, strides: 2, padding: 'same' }).apply(deep);
  const joined = concatenate().apply([up, down]);
  return [layers.model({ inputs: x, outputs: upSampling2d({ size: [2, 2] }).apply(joined) }), [random([1, 12, 8, 2])]];
});

test.run();
