import { type KnownWindow, poolAttributes, type WindowAttributes, windowsOf } from '../../primitives/window.js';
import { float, int } from '../../schema/attributes.js';
import { defineOp, type Evaluation } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';
import { elementCount } from '../../tensor/tensor-value.js';

interface PoolAttributes extends WindowAttributes {
  readonly kernel_shape: readonly number[];
  readonly count_include_pad: number;
  readonly p: number;
}

/** Positions in a plane that a window covers, and its number of places, including padding. */
interface Covered {
  readonly positions: readonly number[];
  readonly places: number;
}

/** Coverage of each window, in the order of the results. */
function coveredBy(windows: readonly KnownWindow[]): Covered[] {
  return windows.reduce<Covered[]>(
    (outer, { size, kernel, stride, dilation, padBefore, padAfter, out }) =>
      outer.flatMap(({ positions, places }) =>
        Array.from({ length: out }, (_, o): Covered => {
          const taps = Array.from({ length: kernel }, (_, k) => o * stride + k * dilation - padBefore);
          const inside = taps.filter((at) => at >= 0 && at < size);
          const padded = taps.filter((at) => at < size + padAfter).length;
          return {
            positions: positions.flatMap((position) => inside.map((at) => position * size + at)),
            places: places * padded,
          };
        }),
      ),
    [{ positions: [0], places: 1 }],
  );
}

/** Distributes a result's gradient over the input. */
type Spread = (
  g: number,
  x: ArrayLike<number>,
  from: number,
  covered: Covered,
  into: Float64Array,
  c: PoolAttributes,
) => void;

const toMaximum: Spread = (g, x, from, { positions }, into) => {
  let best = positions[0] as number;
  for (const position of positions) if ((x[from + position] as number) > (x[from + best] as number)) best = position;
  into[from + best] = (into[from + best] as number) + g;
};

const toAll: Spread = (g, _x, from, { positions, places }, into, { count_include_pad }) => {
  const share = g / (count_include_pad ? places : positions.length);
  for (const position of positions) into[from + position] = (into[from + position] as number) + share;
};

/** |x|^(p−1) · sign x · ‖x‖^(1−p) */
const byNorm: Spread = (g, x, from, { positions }, into, { p }) => {
  const norm = positions.reduce((sum, at) => sum + Math.abs(x[from + at] as number) ** p, 0) ** (1 / p);
  if (norm === 0) return;
  for (const at of positions) {
    const value = x[from + at] as number;
    into[from + at] = (into[from + at] as number) + g * Math.sign(value) * (Math.abs(value) / norm) ** (p - 1);
  }
};

/** Gradient of a pool with respect to its input; `g` is the gradient of its output. */
const poolGradient = (name: string, spread: Spread) =>
  defineOp({
    domain: 'sardonyx',
    name: `${name}Gradient`,
    signature: 'g: T, x: T -> dx: T',
    types: { T: FLOATS },
    attributes: { ...poolAttributes, storage_order: int(0), count_include_pad: int(0), p: float(2) },
    infer: (c) => [like(c, 0, c.dims(1))],
    evaluate(c: Evaluation<PoolAttributes>) {
      const x = c.tensor(1);
      const windows = windowsOf(c, x.dims.slice(2), c.attributes.kernel_shape) as KnownWindow[];
      const covered = coveredBy(windows);
      const [g, values] = [numbersOf(c.tensor(0)), numbersOf(x)];
      const plane = elementCount(x.dims.slice(2));
      const dx = new Float64Array(values.length);
      for (let i = 0; i < g.length; i++) {
        const from = Math.floor(i / covered.length) * plane;
        spread(g[i] as number, values, from, covered[i % covered.length] as Covered, dx, c.attributes);
      }
      return [tensorOf(x.type, x.dims, dx)];
    },
  });

export const maxPoolGradient = poolGradient('MaxPool', toMaximum);
export const averagePoolGradient = poolGradient('AveragePool', toAll);
export const lpPoolGradient = poolGradient('LpPool', byNorm);
