// Networks between quantisation and its inverse, as onnxruntime saves them optimized.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelBuilder, tensor } from '../../../src/builder/index.js';
import type { ModelBuilder } from '../../../src/builder/model-builder.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { type Case, draw, type OperatorCases } from '../case.js';
import { EQUAL } from '../quantized.js';
import { OPTIONS, runtime } from '../runtime.js';

const d = draw(30);

type Values = ReturnType<ModelBuilder['node']>;
type Value = Values[number];

/** What writes networks: every activation goes through integers. */
class Network {
  readonly b = modelBuilder({ opset: 17 });
  #constants = 0;

  constant(value: TensorValue): Value {
    return this.b.constant(`c${this.#constants++}`, value);
  }

  node(op: string, inputs: readonly Value[], attributes: Parameters<ModelBuilder['node']>[2] = {}): Value {
    return this.b.node(op, inputs, attributes)[0] as Value;
  }

  quantized(x: Value, scale: number, zero: number): Value {
    const levels = [this.constant(tensor('float32', [], [scale])), this.constant(tensor('uint8', [], [zero]))];
    return this.node('DequantizeLinear', [this.node('QuantizeLinear', [x, ...levels]), ...levels]);
  }

  weights(dims: readonly number[]): Value {
    const rows = dims[0] as number;
    const scales = Array.from({ length: rows }, () => 0.005 + 0.01 * d.unit());
    const inputs = [d.ints('int8', dims, -127, 127), tensor('float32', [rows], scales), d.ints('int8', [rows], 0, 0)];
    return this.node(
      'DequantizeLinear',
      inputs.map((value) => this.constant(value)),
      { axis: 0 },
    );
  }
}

type Layer = (n: Network, x: Value) => Value;

const CHANNELS = 3;
const [SCALE, ZERO] = [0.05, 120];

const around = (n: Network, y: Value) => n.quantized(y, SCALE, ZERO);

/** Layers that keep the shape [1, channels, height, width]. */
const LAYERS = {
  Conv: (n: Network, x: Value) =>
    around(n, n.node('Conv', [x, n.weights([CHANNELS, CHANNELS, 3, 3])], { pads: [1, 1, 1, 1], kernel_shape: [3, 3] })),
  ConvRelu: (n: Network, x: Value) => {
    const y = n.node('Conv', [x, n.weights([CHANNELS, 1, 3, 3])], { pads: [1, 1, 1, 1], group: CHANNELS });
    return n.quantized(n.node('Relu', [y]), 0.03, 0);
  },
  Add: (n: Network, x: Value) =>
    around(n, n.node('Add', [x, n.quantized(n.node('LeakyRelu', [x], { alpha: 0.25 }), 0.07, 100)])),
  Mul: (n: Network, x: Value) => around(n, n.node('Mul', [x, n.quantized(n.node('Sigmoid', [x]), 1 / 256, 0)])),
  MaxPool: (n: Network, x: Value) =>
    n.quantized(n.node('MaxPool', [x], { kernel_shape: [3, 3], pads: [1, 1, 1, 1], strides: [1, 1] }), SCALE, ZERO),
  AveragePool: (n: Network, x: Value) =>
    around(n, n.node('AveragePool', [x], { kernel_shape: [3, 3], pads: [1, 1, 1, 1] })),
  Concat: (n: Network, x: Value) => {
    const joined = around(n, n.node('Concat', [x, n.quantized(n.node('Sigmoid', [x]), 1 / 256, 0)], { axis: 1 }));
    const mixing = n.weights([CHANNELS, 2 * CHANNELS, 1, 1]);
    return around(n, n.node('Conv', [joined, mixing], { kernel_shape: [1, 1] }));
  },
} satisfies Readonly<Record<string, Layer>>;

/** Layers that end in [1, 5]. */
function head(n: Network, x: Value): Value {
  const averages = n.quantized(n.node('GlobalAveragePool', [x]), 0.04, 110);
  const flat = n.quantized(n.node('Flatten', [averages]), 0.04, 110);
  const y = n.quantized(n.node('Gemm', [flat, n.weights([5, CHANNELS])], { transB: 1 }), 0.02, 128);
  return d.chance(0.5) ? n.quantized(n.node('Softmax', [y]), 1 / 256, 0) : y;
}

function network(names: readonly (keyof typeof LAYERS)[]): Uint8Array {
  const n = new Network();
  const first = n.quantized(n.b.input('x0', 'float32', [1, CHANNELS, 5, 6]), 0.02, 128);
  n.b.output(
    'y0',
    head(
      n,
      names.reduce((x, name) => LAYERS[name](n, x), around(n, first)),
    ),
  );
  return n.b.toBytes();
}

async function saved(model: Uint8Array, level: string): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'saved-'));
  const path = join(folder, 'model.onnx');
  try {
    const options = { ...OPTIONS, graphOptimizationLevel: level, optimizedModelFilePath: path };
    await (await runtime.InferenceSession.create(model, options)).release();
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Convolutions draw others into their order of axes. */
const NETWORKS: readonly (readonly (keyof typeof LAYERS)[])[] = [
  ['Conv', 'MaxPool'],
  ['ConvRelu', 'AveragePool'],
  ['Conv', 'Add'],
  ['Mul', 'Conv'],
  ['Concat'],
  ['AveragePool', 'MaxPool'],
  ['Add', 'ConvRelu'],
  ['ConvRelu', 'MaxPool', 'Conv'],
  ['Mul', 'Add'],
  ['MaxPool', 'Concat'],
];

const cases: Case[] = [];
for (const names of NETWORKS) {
  const model = network(names);
  for (const level of ['extended', 'all']) {
    cases.push({
      label: `${names.join(', ')} at level "${level}"`,
      inputs: [d.floats([1, CHANNELS, 5, 6])],
      model: await saved(model, level),
    });
  }
}

export const operator: OperatorCases = { op: 'QuantizedNetworks', tolerance: EQUAL, cases };
