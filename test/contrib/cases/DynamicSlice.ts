import { tensor } from '../../../src/builder/index.js';
import type { ElementType } from '../../../src/tensor/element-types.js';
import { type Case, draw, type OperatorCases } from '../case.js';

const { floats, ints, int, pick } = draw(26);

const cases = Array.from({ length: 24 }, (_, i): Case => {
  const dims = Array.from({ length: int(1, 4) }, () => int(2, 6));
  const type: ElementType = pick(['int32', 'int64']);
  const axes = dims.map((_, axis) => axis).filter((axis) => axis === 0 || int(0, 1) === 1);
  const list = (values: number[]) => tensor(type, [values.length], type === 'int64' ? values.map(BigInt) : values);
  const named = i % 3 === 0 ? dims.map((_, axis) => axis) : axes;
  const starts = list(named.map(() => int(-4, 2)));
  const ends = list(named.map(() => pick([1, 2, -1, 1000, 0])));
  const data = [floats(dims), ints('int64', dims, -9, 9), floats(dims, 1, 0, 'float64'), ints('bool', dims, 0, 1)][
    i % 4
  ];
  return {
    label: `[${dims}] ${named}`,
    inputs: [
      data ?? null,
      starts,
      ends,
      ...(i % 3 === 0 ? [] : [list(named.map((axis) => (i % 2 ? axis : axis - dims.length)))]),
    ],
    constants: i % 2 ? [1, 2, 3] : [],
  };
});

export const operator: OperatorCases = {
  op: 'DynamicSlice',
  domain: '',
  opset: 9,
  tolerance: { relative: 0, absolute: 0 },
  cases,
};
