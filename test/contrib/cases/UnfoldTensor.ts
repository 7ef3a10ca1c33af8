import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(9);

const TYPES: readonly ElementType[] = ['float32', 'int64', 'float64', 'int32'];

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 3) }, () => int(2, 6));
  const type = TYPES[i % TYPES.length] ?? 'float32';
  const dim = int(-dims.length, dims.length - 1);
  const size = int(1, dims.at(dim) as number);
  const attributes = { size, ...(i % 3 && { dim }), ...(i % 4 && { step: int(1, 3) }) };
  if (!('dim' in attributes)) attributes.size = Math.min(size, dims.at(-1) as number);
  return {
    label: `[${dims}] ${JSON.stringify(attributes)}`,
    inputs: [type.startsWith('float') ? floats(dims, 1, 0, type) : ints(type, dims, 0, 1)],
    attributes,
    constants: i % 7 === 6 ? [0] : [],
  };
});

export const operator: OperatorCases = { op: 'UnfoldTensor', tolerance: { relative: 0, absolute: 0 }, cases };
