import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { int } = draw(6);

const TYPES: readonly ElementType[] = ['float32', 'float64', 'int16', 'int32', 'int64'];

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const type = TYPES[i % TYPES.length] ?? 'float32';
  const one = (value: number) =>
    tensor(type, i % 3 ? [] : [1], type === 'int64' ? [BigInt(Math.trunc(value))] : [value]);
  const fraction = type.startsWith('float') ? 0.25 : 0;
  const start = int(-9, 9);
  const inputs = [one(start), one(start + int(-3, 12)), one((i % 4 === 3 ? -1 : 1) * (int(1, 3) + fraction))];
  return {
    label: `${type} ${i}`,
    inputs: i % 2 ? inputs : inputs.slice(0, 2),
    constants: [[], [0, 1, 2], [2]][i % 3] ?? [],
  };
});

export const operator: OperatorCases = { op: 'Range', cases };
