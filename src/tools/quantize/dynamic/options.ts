import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';

export const BYTE_TYPES = ['int8', 'uint8'] as const;
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
export type DynamicType = (typeof DYNAMIC_TYPES)[number];

/**
 * What is quantised by default. Conv is not: ranges of activations have to be found and rounded to in each run, and ConvInteger is slow where there
 * is one at all, so convolutional networks ran 2.6 times slower than in floats, here and in onnxruntime.
 */
export const DEFAULT_TYPES: readonly DynamicType[] = DYNAMIC_TYPES.filter((type) => type !== 'Conv');

/** What whoever quantises should know of some nodes. */
export interface DynamicNotice {
  readonly type: DynamicType;
  /** How many nodes of the type have weights that can be quantised. */
  readonly nodes: number;
  /** Whether they are quantised: they stay floats otherwise. */
  readonly quantized: boolean;
  readonly message: string;
}

export interface QuantizeDynamicOptions extends QuantizeOptions {
  /** Types of operators; all but Conv, which runs slower for it, if left out. */
  readonly types?: readonly DynamicType[];
  /** Of weights: int8 around 0, or uint8. If left out, uint8 for Conv, as onnxruntime runs no other, and int8 for others. */
  readonly weightType?: ByteType;
  /** Whether each column of MatMul, Gemm and Attention, and each gate's row of LSTM, has a scale. */
  readonly perChannel?: boolean;
  /** Whether weights keep to 7 bits, so that sums of two products fit 16 bits on processors that make them so. */
  readonly reduceRange?: boolean;
  /** How many bytes of weights are held in memory, 256 MiB if left out; what is beyond is made while the model is saved. */
  readonly hold?: number;
  /** Is told of convolutions: that they stay floats, or run slower. */
  readonly onNotice?: (notice: DynamicNotice) => void;
}

export function checkOptions({ types = [], weightType = 'int8' }: QuantizeDynamicOptions): void {
  oneOf('weightType', weightType, BYTE_TYPES);
  for (const type of types) oneOf('types', type, DYNAMIC_TYPES);
}
