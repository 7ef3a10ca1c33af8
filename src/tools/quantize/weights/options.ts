import { SardonyxError } from '../../../base/errors.js';
import { shown } from '../../../base/shown.js';
import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';
import type { Samples } from './gram-matrices.js';

export const METHODS = ['default', 'rtn', 'kquant', 'hqq', 'gptq', 'awq'] as const;
/** A method that rounds weights. */
export type WeightMethod = (typeof METHODS)[number];

export const FORMATS = ['MatMulNBits', 'DequantizeLinear'] as const;
/** The operators that read block-quantized weights. */
export type WeightFormat = (typeof FORMATS)[number];

/** The number of bits of a quantized weight. */
export type Bits = 2 | 4 | 8;

/** Options of `quantizeWeights`. */
export interface QuantizeWeightsOptions extends QuantizeOptions {
  /** The bits of a weight. Default: 4. */
  readonly bits?: Bits;
  /** The number of weights that share a scale: a power of two of 16 or more. Default: 32. */
  readonly block?: number;
  /** Whether to quantize without zero points. */
  readonly symmetric?: boolean;
  /** How to round. Default: `rtn`. `default` does what onnxruntime does if no algorithm is given. */
  readonly method?: WeightMethod;
  /**
   * The operators that read the weights: `MatMulNBits` and `GatherBlockQuantized` (default), or ONNX's own
   * `DequantizeLinear` with blocks, which needs opset 21.
   */
  readonly format?: WeightFormat;
  /** The bits of embedding tables. Default: 8. */
  readonly embeddingBits?: Bits;
  /**
   * The bits of the output layer of a language model, which has a column for each row of the embedding table. Default:
   * 8.
   */
  readonly headBits?: Bits;
  /** The `accuracy_level` of MatMulNBits; 4 allows 8-bit integer activations. */
  readonly accuracyLevel?: 0 | 1 | 2 | 3 | 4;
  /** Samples for the methods `gptq` and `awq`, which use statistics of the layers' inputs. */
  readonly feeds?: Samples;
  /** How many bytes of results to keep in memory. Default: 256 MiB. The rest is computed when the model is saved. */
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
    throw new SardonyxError('INVALID_ARGUMENT', `block: expected a power of two of 16 or more, got ${shown(block)}`);
  return { ...options, bits, block, symmetric, method, format, embeddingBits, headBits, hold };
}
