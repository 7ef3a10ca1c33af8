import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int, pick } = draw(4);

const data = (i: number, dims: readonly number[]) =>
  [
    () => floats(dims),
    () => ints('int64', dims, -99, 99),
    () => ints('uint8', dims, 0, 255),
    () => floats(dims, 1, 0, 'float64'),
    () => ints('bool', dims, 0, 1),
    () =>
      tensor(
        'string',
        dims,
        Array.from({ length: dims.reduce((n, d) => n * d, 1) }, (_, k) => `s${k}`),
      ),
    () => ints('int16', dims, -99, 99),
  ][i % 7]?.() ?? floats(dims);

const cases = Array.from({ length: 22 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(2, 4));
  const depth = int(1, dims.length);
  const type: ElementType = pick(['int32', 'int64']);
  const lead = Array.from({ length: int(0, 2) }, () => int(1, 3));
  return {
    label: `[${dims}] by ${type}[${[...lead, depth]}]`,
    inputs: [data(i, dims), ints(type, [...lead, depth], i % 2 ? -2 : 0, 1)],
    constants: i % 3 === 2 ? [1] : [],
  };
});

export const operator: OperatorCases = { op: 'GatherND', tolerance: { relative: 0, absolute: 0 }, cases };
