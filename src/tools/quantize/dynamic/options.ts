import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';

export const BYTE_TYPES = ['int8', 'uint8'] as const;
/** An 8-bit integer type. */
export type ByteType = (typeof BYTE_TYPES)[number];

export const DYNAMIC_TYPES = [
  'MatMul',
  'Gemm',
  'Conv',
  'Gather',
  'Transpose',
  'LSTM',
  'Attention',
  'EmbedLayerNormalization',
] as const;
/** An operator that `quantizeDynamic` supports. */
export type DynamicType = (typeof DYNAMIC_TYPES)[number];

/**
 * The operators to quantize by default. Conv is not among them: ranges of activations must be found in each run, and
 * ConvInteger is slow or missing, so that convolutional networks ran 2.6 times slower than in float32, here and in
 * onnxruntime.
 */
export const DEFAULT_TYPES: readonly DynamicType[] = DYNAMIC_TYPES.filter((type) => type !== 'Conv');

/** A notice about nodes that dynamic quantization makes slower. */
export interface DynamicNotice {
  /** The operator of the nodes. */
  readonly type: DynamicType;
  /** The number of nodes of this type with weights that can be quantized. */
  readonly nodes: number;
  /** Whether the nodes are quantized. */
  readonly quantized: boolean;
  /** The notice as a sentence. */
  readonly message: string;
}

/** Options of `quantizeDynamic`. */
export interface QuantizeDynamicOptions extends QuantizeOptions {
  /** The operators to quantize. Default: all but Conv, which dynamic quantization makes slower. */
  readonly types?: readonly DynamicType[];
  /**
   * The type of weights: `int8` (symmetric) or `uint8`. Default: `uint8` for Conv, as onnxruntime supports no other,
   * and `int8` for all others.
   */
  readonly weightType?: ByteType;
  /** Whether each column of MatMul, Gemm and Attention, and each gate row of LSTM, has a scale of its own. */
  readonly perChannel?: boolean;
  /**
   * Whether weights use 7 bits, so that sums of two products fit in 16 bits on processors that add pairs of products in
   * 16 bits.
   */
  readonly reduceRange?: boolean;
  /**
   * How many bytes of quantized weights to keep in memory. Default: 256 MiB. The rest is computed when the model is
   * saved.
   */
  readonly hold?: number;
  /** Called with notices about convolutions, which stay in float32 or become slower. */
  readonly onNotice?: (notice: DynamicNotice) => void;
}

export function checkOptions({ types = [], weightType = 'int8' }: QuantizeDynamicOptions): void {
  oneOf('weightType', weightType, BYTE_TYPES);
  for (const type of types) oneOf('types', type, DYNAMIC_TYPES);
}
