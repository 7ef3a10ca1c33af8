import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';
import type { Samples } from './gram-matrices.js';

export const METHODS = ['default', 'rtn', 'kquant', 'hqq', 'gptq', 'awq'] as const;
export type WeightMethod = (typeof METHODS)[number];

export const FORMATS = ['MatMulNBits', 'DequantizeLinear'] as const;
export type WeightFormat = (typeof FORMATS)[number];

export type Bits = 2 | 4 | 8;

export interface QuantizeWeightsOptions extends QuantizeOptions {
  /** 4 if left out. */
  readonly bits?: Bits;
  /** How many weights share a scale: a power of two from 16 on; 32 if left out. */
  readonly block?: number;
  /** Whether there are no zero points. */
  readonly symmetric?: boolean;
  /** `rtn` if left out; `default` is what onnxruntime does where no algorithm is named. */
  readonly method?: WeightMethod;
  /** What reads the weights: `MatMulNBits` and `GatherBlockQuantized`, or ONNX's own `DequantizeLinear` by blocks, which takes opset 21. */
  readonly format?: WeightFormat;
  /** Bits of tables that are looked up, and of the product that has a column for each of their rows; 8 if left out. */
  readonly embeddingBits?: Bits;
  readonly headBits?: Bits;
  /** onnxruntime's `accuracy_level`: 4 lets activations be 8-bit integers. */
  readonly accuracyLevel?: 0 | 1 | 2 | 3 | 4;
  /** What the model is run on for `gptq` and `awq`, which look at how inputs of layers go together. */
  readonly feeds?: Samples;
  /** How many bytes of results are held in memory, 256 MiB if left out; what is beyond is made while the model is saved. */
  readonly hold?: number;
}

export interface Settings extends QuantizeWeightsOptions {
  readonly bits: Bits;
  readonly block: number;
  readonly symmetric: boolean;
  readonly method: WeightMethod;
  readonly format: WeightFormat;
  readonly embeddingBits: Bits;
  readonly headBits: Bits;
  readonly hold: number;
}

const WIDTHS: readonly Bits[] = [2, 4, 8];

export function settingsOf(options: QuantizeWeightsOptions): Settings {
  const { bits = 4, block = 32, symmetric = false, method = 'rtn', format = 'MatMulNBits' } = options;
  const { embeddingBits = 8, headBits = 8, hold = 2 ** 28 } = options;
  oneOf('bits', bits, WIDTHS);
  oneOf('embeddingBits', embeddingBits, WIDTHS);
  oneOf('headBits', headBits, WIDTHS);
  oneOf('method', method, METHODS);
  oneOf('format', format, FORMATS);
  if (!(Number.isInteger(block) && block >= 16 && Math.log2(block) % 1 === 0))
    throw new SardonyxError('INVALID_ARGUMENT', `block must be a power of two from 16 on, not ${shown(block)}`);
  return { ...options, bits, block, symmetric, method, format, embeddingBits, headBits, hold };
}
