import type { TensorProto } from '../../../../build/onnx.js';
import { dimsOf } from '../tensor-data.js';
import { type Desk, single } from './desk.js';
import { type IntegerType, isSigned } from './integers.js';
import { type Levels, levelsBy, levelsOf, rangesOf } from './levels.js';
import type { ScaleType } from './parameters.js';

/** The role of a constant. Each role has its own options. */
export type Part = 'weight' | 'activation';

export interface Laying {
  readonly part: Part;
  /** The axis of per-slice scales. */
  readonly axis?: number | undefined;
  /** Overrides the type of the role. */
  readonly type?: IntegerType | undefined;
}

/** The scales and zero points of a constant. */
export function weightLevels(
  { settings, floats }: Desk,
  tensor: TensorProto,
  values: Float32Array,
  { part, axis, ...laying }: Laying,
): Levels {
  const { overrides, reduceRange, minimumRange, format } = settings;
  const own = Object.hasOwn(overrides, tensor.name) ? overrides[tensor.name] : undefined;
  const type = own?.type ?? laying.type ?? (part === 'weight' ? settings.weightType : settings.activationType);
  if (own?.scale !== undefined) {
    const [scales, zeros] = [[own.scale].flat(), [own.zeroPoint ?? 0].flat()];
    const parameters = scales.map((scale, i) => ({ type, scale, zeroPoint: zeros[i] ?? single(own.zeroPoint) }));
    return levelsBy(parameters, type, axis);
  }
  // In the QOperator format, onnxruntime identifies weights by their type, and permits zero points per channel.
  const [isPairs, isWeight] = [format === 'QDQ', part === 'weight'];
  const isAsWeight = isWeight || (!isPairs && type === settings.weightType);
  const ofPart = isAsWeight ? (settings.symmetricWeights ?? isSigned(type)) : settings.symmetricActivations;
  const symmetric = own?.symmetric ?? ((isPairs && axis !== undefined) || ofPart);
  const reduced = reduceRange && (isPairs || isWeight);
  const dims = dimsOf(tensor);
  const found = rangesOf(values, dims, axis);
  const ranges = own?.range ? found.map(() => own.range as NonNullable<typeof own.range>) : found;
  const float = floats.get(tensor.name) as ScaleType;
  return levelsOf(ranges, { type, symmetric, reduced, minimumRange, float }, axis);
}
