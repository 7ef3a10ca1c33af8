import type { NodeProto } from '../../../../build/onnx.js';
import { WHOLE } from './integers.js';
import type { Parameters, Range } from './parameters.js';

/** Whether a quantized range makes a Relu or Clip before it redundant. */
export function isBoundBy({ opType }: NodeProto, { lowest, highest }: Range, levels: Parameters): boolean {
  const { type, scale, zeroPoint } = levels;
  const [least, greatest] = WHOLE[type];
  const isAbove = (least - zeroPoint) * scale >= (opType === 'Relu' ? Math.min(lowest, 0) : lowest) - scale;
  return isAbove && (opType === 'Relu' || (greatest - zeroPoint) * scale <= highest + scale);
}
