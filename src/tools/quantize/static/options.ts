import { SardonyxError } from '../../../base/errors.js';
import type { CalibrateOptions } from '../calibrate/options.js';
import type { NamePattern } from '../names.js';
import { oneOf } from '../one-of.js';
import { INTEGER_TYPES, type IntegerType } from './integers.js';
import type { Range } from './parameters.js';

export const STATIC_FORMATS = ['QDQ', 'QOperator'] as const;
export type StaticFormat = (typeof STATIC_FORMATS)[number];

/** What is said of one value or weight; what is left out is as for all. */
export interface Override {
  readonly type?: IntegerType;
  readonly symmetric?: boolean;
  /** In place of what calibration, or the weight itself, comes to. */
  readonly range?: Range;
  /** Both, or neither: numbers, or lists of them with the axis of a weight that they go along. */
  readonly scale?: number | readonly number[];
  readonly zeroPoint?: number | readonly number[];
  /** Of a weight: a scale for each slice of it. */
  readonly axis?: number;
}

export interface QuantizeStaticOptions extends Omit<CalibrateOptions, 'symmetric'> {
  /** `QDQ` if left out: nodes stay, between pairs of QuantizeLinear and DequantizeLinear. `QOperator` has operators on integers. */
  readonly format?: StaticFormat;
  /** uint8 if left out. */
  readonly activationType?: IntegerType;
  /** int8 if left out. */
  readonly weightType?: IntegerType;
  /** Whether each channel of a weight has a scale. */
  readonly perChannel?: boolean;
  /** Whether the ranges of activations are taken around 0. */
  readonly symmetricActivations?: boolean;
  /** Whether those of weights are; by default, of signed types. */
  readonly symmetricWeights?: boolean;
  /** Whether weights keep to a bit less, so that sums of two products fit 16 bits on processors that make them so. */
  readonly reduceRange?: boolean;
  /** Nodes to quantise, by their names, outputs or weights, all if left out; and those to leave. */
  readonly include?: readonly NamePattern[];
  readonly exclude?: readonly NamePattern[];
  /** Values and weights by their names. */
  readonly overrides?: Readonly<Record<string, Override>>;
  /** QDQ: whether each reader of a value has a pair of its own. */
  readonly dedicatedPairs?: boolean;
  /** QDQ: whether weights stay floats, with a pair behind. */
  readonly pairsOnWeights?: boolean;
  /** QDQ: whether biases become 32-bit integers; true if left out. */
  readonly quantizeBias?: boolean;
  /** QDQ: whether Relu and Clip stay where ranges would do their work. */
  readonly keepActivations?: boolean;
  /** QDQ: types of operators whose outputs stay floats. */
  readonly floatOutputs?: readonly string[];
  /** Whether operators that only move values are quantised even where nothing before them is. */
  readonly force?: boolean;
  /** How wide the range of an activation or weight is at least. */
  readonly minimumRange?: number;
  /** How many bytes of results are held in memory, 256 MiB if left out; what is beyond is made while the model is saved. */
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
  for (const type of types) oneOf('the type of an override', type, INTEGER_TYPES);
  if (format === 'QOperator' && !types.every((type) => type.endsWith('8')))
    throw refused('operators on integers have 8 bits: take the format QDQ for others');
  if (activationType === 'int8' && weightType === 'uint8')
    throw refused(
      'no product takes activations of int8 with weights of uint8; take int8 for both, or uint8 for activations',
    );
  for (const [name, { scale, zeroPoint }] of Object.entries(overrides))
    if ((scale === undefined) !== (zeroPoint === undefined))
      throw refused(`the override of "${name}" must have both scale and zeroPoint, or neither`);
  return { ...options, format, activationType, weightType, overrides, perChannel, symmetricActivations, reduceRange };
}

const refused = (message: string) => new SardonyxError('INVALID_ARGUMENT', message);
