import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int } = draw(8);

const TYPES: readonly ElementType[] = ['float32', 'int64', 'float64', 'uint8', 'bool', 'int32'];

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = Array.from({ length: i % 5 }, (_, d) => (i === 7 && d === 0 ? 0 : int(1, 3)));
  const type = TYPES[i % TYPES.length] ?? 'float32';
  const axis = int(-dims.length - 1, dims.length);
  return {
    label: `${type}[${dims}] at ${axis}`,
    inputs: [
      type.startsWith('float') ? floats(dims, 1, 0, type) : ints(type, dims, 0, 1),
      tensor('int32', i % 2 ? [1] : [], [axis]),
    ],
    constants: i % 3 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'ExpandDims', tolerance: { relative: 0, absolute: 0 }, cases };
