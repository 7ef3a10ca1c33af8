import type { AttributeInputs } from '../../src/builder/index.js';
import { float } from '../../src/builder/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { type Random, randomOf } from '../fuzz/files/random.js';
import { evaluated } from './host.js';

export type { Random };
export { randomOf };

/** A whole number from `least` to `most`. */
export const between = (r: Random, least: number, most: number): number => least + r.below(most - least + 1);

export const list = <T>(length: number, of: (i: number) => T): T[] => Array.from({ length }, (_, i) => of(i));

/** Numbers that float32 has, in −1…1 unless said otherwise. */
export function draw(r: Random, dims: readonly number[], low = -1, high = 1): TensorValue {
  const count = dims.reduce((n, d) => n * d, 1);
  const next = () => low + ((high - low) * r.below(2 ** 24)) / 2 ** 24;
  return { type: 'float32', dims, data: Float32Array.from({ length: count }, next) };
}

export const maybe = <T>(r: Random, make: () => T): T | null => (r.chance(0.5) ? make() : null);

/** How ONNX says an activation of an epilogue: one of its operators on a tensor of float64. */
const ACTIVATIONS: Readonly<Record<string, (x: TensorValue, alpha: number, beta: number) => TensorValue>> = {
  None: (x) => x,
  Clip: (x, alpha, beta) => evaluated('Clip', [x, scalar(alpha), scalar(beta)]),
  LeakyRelu: (x, alpha) => evaluated('LeakyRelu', [x], { alpha: float(alpha) }),
  Sigmoid: (x) => evaluated('Sigmoid', [x]),
  Silu: (x) => evaluated('Mul', [x, evaluated('Sigmoid', [x])]),
  HardSwish: (x) => evaluated('HardSwish', [x]),
  HardSigmoid: (x, alpha, beta) => evaluated('HardSigmoid', [x], { alpha: float(alpha), beta: float(beta) }),
  GeluErf: (x) => evaluated('Gelu', [x]),
  GeluTanh: (x) => evaluated('Gelu', [x], { approximate: 'tanh' }),
  Tanh: (x) => evaluated('Tanh', [x]),
};

const scalar = (x: number): TensorValue => ({ type: 'float64', dims: [], data: Float64Array.of(x) });

export interface Epilogue {
  readonly attributes: AttributeInputs;
  /** By ONNX's operators, in double precision. */
  activate(x: TensorValue): TensorValue;
}

/** An activation with parameters that float32 has. */
export function drawEpilogue(r: Random): Epilogue {
  const activation = r.pick(Object.keys(ACTIVATIONS));
  const [alpha, beta] = [r.pick([-0.5, 0.125, 0.25]), r.pick([0.5, 0.75])];
  return {
    attributes: { activation, activation_alpha: float(alpha), activation_beta: float(beta) },
    activate: (x) => (ACTIVATIONS[activation] as (typeof ACTIVATIONS)[string])(x, alpha, beta),
  };
}

/** What the windows of a convolution or a pool are, and sizes into which they fit. */
export interface Windows {
  readonly kernel: readonly number[];
  readonly sizes: readonly number[];
  readonly attributes: AttributeInputs;
}

interface Limits {
  readonly rank?: number;
  readonly isDilated?: boolean;
}

export function drawWindows(r: Random, { rank = between(r, 1, 3), isDilated = true }: Limits = {}): Windows {
  const kernel = list(rank, () => between(r, 1, 3));
  const dilations = list(rank, () => (isDilated ? between(r, 1, 2) : 1));
  const sizes = kernel.map((k, i) => (dilations[i] as number) * (k - 1) + 1 + r.below(6));
  const pads = [...kernel, ...kernel].map((k) => r.below(k));
  const auto = r.pick(['NOTSET', 'NOTSET', 'NOTSET', 'SAME_UPPER', 'SAME_LOWER', 'VALID']);
  const strides = list(rank, () => between(r, 1, 2));
  return {
    kernel,
    sizes,
    attributes: {
      strides: r.chance(0.8) ? strides : undefined,
      dilations: isDilated ? dilations : undefined,
      ...(auto === 'NOTSET' ? { pads } : { auto_pad: auto }),
    },
  };
}
