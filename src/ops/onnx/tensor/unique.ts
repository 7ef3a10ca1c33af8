import { account } from '../../../account.js';
import { stridesOf } from '../../../graph/dims.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';
import { aboutAxis, takeRows } from '../../../tensor/rows.js';
import { evaluateStrided } from '../../../tensor/strided.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';
import { int64List } from '../../constants.js';

/** A tensor with `axis` moved to the front. */
function lineFirst(x: TensorValue, axis: number): TensorValue {
  const front = <T>(values: readonly T[]): T[] => [values[axis] as T, ...values.filter((_, d) => d !== axis)];
  return evaluateStrided(x, front(x.dims), front(stridesOf(x.dims)), 0);
}

/** Values that sort as the elements do, and the number of values per element; NaN goes last. */
function comparable(x: TensorValue): [values: ArrayLike<unknown>, entries: number] {
  const { entries = 1, bits } = ELEMENTS[x.type];
  return x.type === 'string' || bits === 64 || entries > 1 ? [x.data, entries] : [numbersOf(x), 1];
}

/** https://onnx.ai/onnx/operators/onnx__Unique.html */
export const unique = defineOp({
  name: 'Unique',
  since: 11,
  signature: 'X: T -> Y: T, indices?: int64, inverse_indices?: int64, counts?: int64',
  types: { T: ANY },
  attributes: { axis: int(), sorted: int(1) },
  infer(c) {
    const { axis } = c.attributes;
    const dims = c.dims(0);
    const own = axis === undefined ? [c.unknown()] : dims?.with(axisOf(c, axis, dims.length), c.unknown());
    const list = () => tensorType('int64', [c.unknown()]);
    return [like(c, 0, own), list(), list(), list()];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const axis = c.attributes.axis === undefined ? undefined : axisOf(c, c.attributes.axis, x.dims.length);
    const lines =
      axis === undefined ? { type: x.type, dims: [elementCount(x.dims)], data: x.data } : lineFirst(x, axis);
    const [count = 0] = lines.dims;
    const [data, entries] = comparable(lines);
    const inner = aboutAxis(lines.dims, 0).inner * entries;
    const compare = (a: number, b: number): number => {
      account()?.spend(8);
      for (let k = 0; k < inner; k++) {
        const [p, q] = [data[a * inner + k], data[b * inner + k]] as [number, number];
        if (p < q || (Number.isNaN(q) && !Number.isNaN(p))) return -1;
        if (p > q || (Number.isNaN(p) && !Number.isNaN(q))) return 1;
      }
      account()?.spend(inner);
      return 0;
    };
    const sorted = Array.from({ length: count }, (_, i) => i).sort((a, b) => compare(a, b) || a - b);
    const groups: number[][] = [];
    for (const i of sorted) {
      const last = groups.at(-1);
      if (last && compare(last[0] as number, i) === 0) last.push(i);
      else groups.push([i]);
    }
    if (!c.attributes.sorted) groups.sort((a, b) => (a[0] as number) - (b[0] as number));
    const firsts = groups.map((group) => group[0] as number);
    const inverse = new Array<number>(count);
    groups.forEach((group, g) => {
      for (const i of group) inverse[i] = g;
    });
    return [
      takeLines(x, axis, firsts),
      int64List(firsts),
      int64List(inverse),
      int64List(groups.map((group) => group.length)),
    ];
  },
});

/** Takes lines along an axis, or elements if there is no axis. */
function takeLines(x: TensorValue, axis: number | undefined, lines: readonly number[]): TensorValue {
  if (axis === undefined) return takeRows(x, lines, 1, [lines.length]);
  const { outer, length, inner } = aboutAxis(x.dims, axis);
  const sources = Array.from({ length: outer }, (_, o) => lines.map((line) => o * length + line)).flat();
  return takeRows(x, sources, inner, x.dims.with(axis, lines.length));
}
