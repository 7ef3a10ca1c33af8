import { SardonyxError } from '../../../base/errors.js';
import type { CalibrateOptions } from '../calibrate/options.js';
import { oneOf } from '../one-of.js';
import type { QuantizeOptions } from '../options.js';
import { INTEGER_TYPES, type IntegerType } from './integers.js';
import type { Range } from './parameters.js';

export const STATIC_FORMATS = ['QDQ', 'QOperator'] as const;
/** A format of static quantization. */
export type StaticFormat = (typeof STATIC_FORMATS)[number];

/** Settings for one value or weight. Omitted settings are those of the whole model. */
export interface Override {
  /** The integer type. */
  readonly type?: IntegerType;
  /** Whether the range is symmetric around 0. */
  readonly symmetric?: boolean;
  /** The range, in place of the calibrated one or that of the weight. */
  readonly range?: Range;
  /** The scale: a number, or a list for the slices along `axis`. Set `zeroPoint`, too. */
  readonly scale?: number | readonly number[];
  /** The zero point: a number, or a list for the slices along `axis`. Set `scale`, too. */
  readonly zeroPoint?: number | readonly number[];
  /** The axis of a weight along which each slice has a scale of its own. */
  readonly axis?: number;
}

/** Options of `quantizeStatic`. */
export interface QuantizeStaticOptions extends QuantizeOptions, Omit<CalibrateOptions, 'symmetric'> {
  /**
   * `QDQ` (default) keeps the nodes and adds pairs of QuantizeLinear and DequantizeLinear. `QOperator` replaces the
   * nodes with integer operators.
   */
  readonly format?: StaticFormat;
  /** The type of activations. Default: `uint8`. */
  readonly activationType?: IntegerType;
  /** The type of weights. Default: `int8`. */
  readonly weightType?: IntegerType;
  /** Whether each output channel of a weight has a scale of its own. */
  readonly perChannel?: boolean;
  /** Whether the ranges of activations are symmetric around 0. */
  readonly symmetricActivations?: boolean;
  /** Whether the ranges of weights are symmetric around 0. Default: true for signed types. */
  readonly symmetricWeights?: boolean;
  /**
   * Whether weights use one bit less, so that sums of two products fit in 16 bits on processors that add pairs of
   * products in 16 bits.
   */
  readonly reduceRange?: boolean;
  /** Settings for single values and weights, by name. */
  readonly overrides?: Readonly<Record<string, Override>>;
  /** QDQ: whether each reader of a value has a pair of its own. */
  readonly dedicatedPairs?: boolean;
  /** QDQ: whether weights stay floats, followed by a QuantizeLinear/DequantizeLinear pair. */
  readonly pairsOnWeights?: boolean;
  /** QDQ: whether biases become 32-bit integers. Default: true. */
  readonly quantizeBias?: boolean;
  /** QDQ: whether to keep Relu and Clip nodes that the quantized range makes redundant. */
  readonly keepActivations?: boolean;
  /** QDQ: the operators whose outputs stay floats. */
  readonly floatOutputs?: readonly string[];
  /** Whether to quantize operators that only move values even if their input is not quantized. */
  readonly force?: boolean;
  /** The minimum width of a range. */
  readonly minimumRange?: number;
  /** How many bytes of results to keep in memory. Default: 256 MiB. The rest is computed when the model is saved. */
  readonly hold?: number;
}

export interface StaticSettings extends QuantizeStaticOptions {
  readonly format: StaticFormat;
  readonly activationType: IntegerType;
  readonly weightType: IntegerType;
  readonly perChannel: boolean;
  readonly symmetricActivations: boolean;
  readonly reduceRange: boolean;
  readonly overrides: Readonly<Record<string, Override>>;
}

export function staticSettingsOf(options: QuantizeStaticOptions): StaticSettings {
  const { format = 'QDQ', activationType = 'uint8', weightType = 'int8', overrides = {} } = options;
  const { perChannel = false, symmetricActivations = false, reduceRange = false } = options;
  oneOf('format', format, STATIC_FORMATS);
  oneOf('activationType', activationType, INTEGER_TYPES);
  oneOf('weightType', weightType, INTEGER_TYPES);
  const types = [activationType, weightType, ...Object.values(overrides).flatMap(({ type }) => type ?? [])];
  for (const type of types) oneOf('overrides type', type, INTEGER_TYPES);
  if (format === 'QOperator' && !types.every((type) => type.endsWith('8')))
    throw refused('the format QOperator supports 8-bit types only; use the format QDQ for other types');
  if (activationType === 'int8' && weightType === 'uint8')
    throw refused(
      'activations of int8 cannot be combined with weights of uint8; use int8 for both, or uint8 for activations',
    );
  for (const [name, { scale, zeroPoint }] of Object.entries(overrides))
    if ((scale === undefined) !== (zeroPoint === undefined))
      throw refused(`overrides: "${name}" must have both scale and zeroPoint, or neither`);
  return { ...options, format, activationType, weightType, overrides, perChannel, symmetricActivations, reduceRange };
}

const refused = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
