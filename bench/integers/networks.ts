// Networks with real shapes and seeded random weights, in floats and as QDQ: 8-bit activations, int8 weights per channel.
import { type GraphBuilder, modelBuilder, tensor } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { draw } from '../../test/contrib/case.js';

type Activation = 'Relu' | 'Relu6' | 'None';

interface Feature {
  readonly value: Value;
  readonly channels: number;
  readonly scale: number;
}

interface Conv {
  readonly outputs: number;
  readonly kernel?: number;
  readonly stride?: number;
  readonly group?: number;
  readonly activation?: Activation;
}

const ZERO = 128;

/** Layers in one of the two forms. */
class Layers {
  readonly #draw = draw(7);
  #constants = 0;

  constructor(
    readonly b: GraphBuilder,
    readonly quantised: boolean,
  ) {}

  #constant(type: 'float32' | 'int8' | 'uint8' | 'int32', dims: readonly number[], data: readonly number[]): Value {
    return this.b.constant(`c${this.#constants++}`, tensor(type, dims, data));
  }

  #node(op: string, inputs: readonly (Value | null)[], attributes = {}): Value {
    return this.b.node(op, inputs, attributes)[0] as Value;
  }

  #scale = (scale: number) => this.#constant('float32', [], [scale]);

  /** The value after quantization to 8 bits. */
  #kept(value: Value, scale: number): Value {
    if (!this.quantised) return value;
    const step = [this.#scale(scale), this.#constant('uint8', [], [ZERO])];
    return this.#node('DequantizeLinear', [this.#node('QuantizeLinear', [value, ...step]), ...step]);
  }

  input(value: Value, channels: number): Feature {
    const scale = 0.03;
    return { value: this.#kept(value, scale), channels, scale };
  }

  #weights(dims: readonly number[], fan: number): { value: Value; scales: readonly number[] } {
    const count = dims.reduce((n, d) => n * d, 1);
    const integers = Array.from({ length: count }, () =>
      Math.max(-127, Math.min(127, Math.round(40 * this.#draw.normal()))),
    );
    const scales = Array.from(
      { length: dims[0] as number },
      () => ((0.8 + 0.4 * this.#draw.unit()) * Math.sqrt(1.6 / fan)) / 40,
    );
    if (this.quantised) {
      const step = [
        this.#constant('float32', [scales.length], scales),
        this.#constant(
          'int8',
          [scales.length],
          scales.map(() => 0),
        ),
      ];
      return {
        value: this.#node('DequantizeLinear', [this.#constant('int8', dims, integers), ...step], { axis: 0 }),
        scales,
      };
    }
    const own = count / scales.length;
    const floats = integers.map((q, i) => q * (scales[Math.floor(i / own)] as number));
    return { value: this.#constant('float32', dims, floats), scales };
  }

  #bias(xScale: number, scales: readonly number[]): Value {
    const steps = scales.map((s) => Math.fround(Math.fround(xScale) * Math.fround(s)));
    const integers = steps.map((s) => Math.round((0.1 * this.#draw.normal()) / s));
    if (!this.quantised)
      return this.#constant(
        'float32',
        [steps.length],
        integers.map((q, i) => q * (steps[i] as number)),
      );
    const zeros = this.#constant(
      'int32',
      [steps.length],
      steps.map(() => 0),
    );
    const inputs = [
      this.#constant('int32', [steps.length], integers),
      this.#constant('float32', [steps.length], steps),
      zeros,
    ];
    return this.#node('DequantizeLinear', inputs, { axis: 0 });
  }

  #activated(value: Value, activation: Activation): Value {
    if (activation === 'None') return value;
    if (activation === 'Relu') return this.#node('Relu', [value]);
    return this.#node('Clip', [value, this.#constant('float32', [], [0]), this.#constant('float32', [], [6])]);
  }

  conv(x: Feature, { outputs, kernel = 1, stride = 1, group = 1, activation = 'None' }: Conv): Feature {
    const own = x.channels / group;
    const w = this.#weights([outputs, own, kernel, kernel], own * kernel * kernel);
    const pad = (kernel - 1) >> 1;
    const attributes = { kernel_shape: [kernel, kernel], strides: [stride, stride], pads: [pad, pad, pad, pad], group };
    const y = this.#node('Conv', [x.value, w.value, this.#bias(x.scale, w.scales)], attributes);
    const scale = 0.04;
    return { value: this.#kept(this.#activated(y, activation), scale), channels: outputs, scale };
  }

  add(x: Feature, y: Feature, activation: Activation = 'None'): Feature {
    const scale = 0.05;
    const sum = this.#activated(this.#node('Add', [x.value, y.value]), activation);
    return { value: this.#kept(sum, scale), channels: x.channels, scale };
  }

  maxPool(x: Feature): Feature {
    const attributes = { kernel_shape: [3, 3], strides: [2, 2], pads: [1, 1, 1, 1] };
    return { ...x, value: this.#kept(this.#node('MaxPool', [x.value], attributes), x.scale) };
  }

  classify(x: Feature, classes: number): Value {
    const pooled = this.#kept(this.#node('GlobalAveragePool', [x.value]), x.scale);
    const flat = this.#kept(this.#node('Flatten', [pooled]), x.scale);
    const w = this.#weights([classes, x.channels], x.channels);
    return this.#kept(this.#node('Gemm', [flat, w.value, this.#bias(x.scale, w.scales)], { transB: 1 }), 0.05);
  }
}

function imageModel(quantised: boolean, build: (layers: Layers, x: Feature) => Value): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const layers = new Layers(b, quantised);
  b.output('y', build(layers, layers.input(b.input('x', 'float32', [1, 3, 224, 224]), 3)));
  return b.toBytes();
}

/** [expansion, outputs, blocks, stride of the first]: https://arxiv.org/abs/1801.04381, table 2. */
const INVERTED = [
  [1, 16, 1, 1],
  [6, 24, 2, 2],
  [6, 32, 3, 2],
  [6, 64, 4, 2],
  [6, 96, 3, 1],
  [6, 160, 3, 2],
  [6, 320, 1, 1],
] as const;

export const mobileNetV2 = (quantised: boolean): Uint8Array =>
  imageModel(quantised, (layers, image) => {
    let x = layers.conv(image, { outputs: 32, kernel: 3, stride: 2, activation: 'Relu6' });
    for (const [expansion, outputs, blocks, first] of INVERTED) {
      for (let i = 0; i < blocks; i++) {
        const stride = i === 0 ? first : 1;
        const inside = x.channels * expansion;
        const wide = expansion === 1 ? x : layers.conv(x, { outputs: inside, activation: 'Relu6' });
        const deep = layers.conv(wide, { outputs: inside, kernel: 3, stride, group: inside, activation: 'Relu6' });
        const y = layers.conv(deep, { outputs });
        x = stride === 1 && x.channels === outputs ? layers.add(x, y) : y;
      }
    }
    return layers.classify(layers.conv(x, { outputs: 1280, activation: 'Relu6' }), 1000);
  });

export const resNet50 = (quantised: boolean): Uint8Array =>
  imageModel(quantised, (layers, image) => {
    let x = layers.maxPool(layers.conv(image, { outputs: 64, kernel: 7, stride: 2, activation: 'Relu' }));
    for (const [stage, blocks] of [3, 4, 6, 3].entries()) {
      for (let i = 0; i < blocks; i++) {
        const [width, stride] = [64 << stage, stage > 0 && i === 0 ? 2 : 1];
        const a = layers.conv(x, { outputs: width, activation: 'Relu' });
        const b = layers.conv(a, { outputs: width, kernel: 3, stride, activation: 'Relu' });
        const c = layers.conv(b, { outputs: 4 * width });
        const shortcut = i === 0 ? layers.conv(x, { outputs: 4 * width, stride }) : x;
        x = layers.add(shortcut, c, 'Relu');
      }
    }
    return layers.classify(x, 1000);
  });
