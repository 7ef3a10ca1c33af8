// A case or more for each layer, as calls of TensorFlow.js.
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { of, random } from './graph-models.js';

/** Layers one after another: their names in `tf.layers` and what they are made with. */
export interface LayersCase {
  readonly name: string;
  readonly layers: readonly (readonly [name: string, config?: object])[];
  readonly feed: TensorValue;
}

const row = (feed: TensorValue, ...layers: LayersCase['layers'][number][]): LayersCase => ({
  name: layers
    .map(([name, config]) => `${name} ${JSON.stringify(config ?? {})}`)
    .join(', ')
    .slice(0, 100),
  layers,
  feed,
});

const vector = random([2, 5]);
const time = random([2, 6, 3]);
const image = random([2, 7, 8, 3]);
const volume = random([1, 4, 5, 6, 2]);
const ACTIVATIONS =
  'elu selu relu relu6 linear sigmoid hardSigmoid softplus softsign tanh softmax logSoftmax gelu gelu_new mish swish';
const inner = (name: string, config: object) => ({ layer: name, config });

export const LAYERS_CASES: readonly LayersCase[] = [
  row(vector, ['dense', { units: 4 }]),
  row(time, ['dense', { units: 4, useBias: false, activation: 'relu' }]),
  ...ACTIVATIONS.split(' ').map((activation) => row(vector, ['activation', { activation }])),
  row(vector, ['reLU']),
  row(vector, ['reLU', { maxValue: 1 }]),
  row(vector, ['leakyReLU', { alpha: 0.2 }]),
  row(vector, ['prelu', { alphaInitializer: 'randomNormal' }]),
  row(vector, ['elu']),
  row(vector, ['softmax']),
  row(vector, ['thresholdedReLU', { theta: 0.5 }]),
  row(time, ['conv1d', { filters: 4, kernelSize: 3, strides: 2, padding: 'same', activation: 'relu' }]),
  ...['same', 'valid'].flatMap((padding) => [
    row(image, ['conv2d', { filters: 4, kernelSize: 3, strides: [2, 1], padding, biasInitializer: 'randomNormal' }]),
    row(image, ['conv2dTranspose', { filters: 4, kernelSize: 3, strides: 2, padding }]),
    row(image, ['conv2dTranspose', { filters: 4, kernelSize: 2, strides: 3, padding }]),
    row(image, ['depthwiseConv2d', { kernelSize: 3, depthMultiplier: 2, strides: 2, padding }]),
    row(image, ['separableConv2d', { filters: 4, kernelSize: 3, padding, activation: 'relu6' }]),
    row(time, ['maxPooling1d', { poolSize: 2, strides: 3, padding }]),
    row(time, ['averagePooling1d', { poolSize: 3, strides: 2, padding }]),
    row(image, ['maxPooling2d', { poolSize: 3, strides: 2, padding }]),
    row(image, ['averagePooling2d', { poolSize: [2, 3], strides: 2, padding }]),
    row(volume, ['maxPooling3d', { poolSize: 2, strides: 2, padding }]),
    row(volume, ['averagePooling3d', { poolSize: 2, padding }]),
    row(volume, ['conv3d', { filters: 3, kernelSize: 2, strides: 2, padding }]),
    row(volume, ['conv3dTranspose', { filters: 3, kernelSize: 2, strides: 2, padding }]),
  ]),
  row(image, ['conv2d', { filters: 4, kernelSize: 3, dilationRate: 2, padding: 'same' }]),
  row(image, ['globalMaxPooling2d', {}], ['dense', { units: 3, activation: 'softmax' }]),
  row(image, ['globalAveragePooling2d', {}]),
  row(time, ['globalMaxPooling1d']),
  row(time, ['globalAveragePooling1d']),
  row(image, [
    'batchNormalization',
    { gammaInitializer: 'randomNormal', betaInitializer: 'randomNormal', movingMeanInitializer: 'randomNormal' },
  ]),
  row(vector, [
    'batchNormalization',
    { scale: false, center: false, movingMeanInitializer: 'randomNormal', epsilon: 0.1 },
  ]),
  row(time, ['layerNormalization', { gammaInitializer: 'randomNormal', betaInitializer: 'randomNormal' }]),
  row(image, ['layerNormalization', { axis: [2, 3], gammaInitializer: 'randomNormal' }]),
  row(of('float32', [2, 3], [0, 4, 2, 1, 1, 3]), ['embedding', { inputDim: 5, outputDim: 4 }]),
  row(image, ['flatten'], ['dense', { units: 3 }]),
  row(image, ['flatten', { dataFormat: 'channelsFirst' }]),
  row(image, ['reshape', { targetShape: [-1, 4] }]),
  row(time, ['permute', { dims: [2, 1] }]),
  row(vector, ['repeatVector', { n: 3 }]),
  row(image, [
    'zeroPadding2d',
    {
      padding: [
        [1, 2],
        [0, 3],
      ],
    },
  ]),
  row(image, [
    'cropping2D',
    {
      cropping: [
        [1, 2],
        [0, 3],
      ],
    },
  ]),
  row(image, ['upSampling2d', { size: [2, 3] }]),
  row(image, ['upSampling2d', { size: [2, 2], interpolation: 'bilinear' }]),
  row(
    image,
    ['dropout', { rate: 0.5 }],
    ['gaussianNoise', { stddev: 1 }],
    ['gaussianDropout', { rate: 0.2 }],
    ['alphaDropout', { rate: 0.2 }],
  ),
  row(time, ['spatialDropout1d', { rate: 0.5 }], ['dense', { units: 2 }]),
  row(of('float32', [1, 2, 2], [0, 0, 1, 0]), ['masking', { maskValue: 0 }]),
  row(image, ['rescaling', { scale: 0.5, offset: -1 }]),
  ...['lstm', 'gru', 'simpleRNN'].flatMap((name) => [
    row(time, [name, { units: 4 }]),
    row(time, [
      name,
      {
        units: 4,
        returnSequences: true,
        biasInitializer: 'randomNormal',
        ...(name !== 'simpleRNN' && { recurrentActivation: 'sigmoid' }),
      },
    ]),
    row(time, [name, { units: 4, goBackwards: true, returnSequences: true, useBias: false }]),
    row(time, [name, { units: 4, goBackwards: true, activation: 'relu' }]),
  ]),
  ...['concat', 'sum', 'ave', 'mul'].map((mergeMode) =>
    row(time, [
      'bidirectional',
      { ...inner('lstm', { units: 4, returnSequences: true, biasInitializer: 'randomNormal' }), mergeMode },
    ]),
  ),
  row(time, ['bidirectional', { ...inner('gru', { units: 4 }), mergeMode: 'concat' }]),
  row(random([2, 3, 4, 5]), ['timeDistributed', inner('dense', { units: 2, activation: 'tanh' })]),
  row(random([2, 3, 6, 6, 2]), ['timeDistributed', inner('conv2d', { filters: 3, kernelSize: 3 })]),
];
