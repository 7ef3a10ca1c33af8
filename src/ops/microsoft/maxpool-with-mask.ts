import { account } from '../../account.js';
import { differ } from '../../graph/guards.js';
import { tensorType } from '../../graph/types.js';
import { type PoolAttributes, poolWindows } from '../../primitives/pool.js';
import { type KnownWindow, windowAttributes } from '../../primitives/window.js';
import { int, ints } from '../../schema/attributes.js';
import { defineOp, type Inference } from '../../schema/definition.js';
import { numbersOf, tensorOf } from '../../tensor/numbers.js';

/** The lowest float32: the result of a window that is masked entirely. */
const LOWEST = -3.4028234663852886e38;

const { dilations: _, ...own } = windowAttributes;

/** Positions of a window along an axis, without padding. */
const placesOf = ({ size, kernel, stride, padBefore }: KnownWindow, o: number): number[] => {
  const start = o * stride - padBefore;
  return Array.from({ length: kernel }, (_, k) => start + k).filter((at) => at >= 0 && at < size);
};

/**
 * The maximum of a window; each row of the window ends at its first masked element. The mask of a plane's first element counts only if
 * there is one spatial axis.
 */
function largestIn(
  windows: readonly KnownWindow[],
  at: readonly number[],
  value: (i: number) => number,
  isMasked: (i: number) => boolean,
): number {
  const places = windows.map((window, axis) => placesOf(window, at[axis] as number));
  const rows = places
    .slice(0, -1)
    .reduce<number[]>(
      (firsts, along, axis) =>
        firsts.flatMap((first) => along.map((place) => first * (windows[axis] as KnownWindow).size + place)),
      [0],
    );
  const last = windows.at(-1) as KnownWindow;
  let largest = LOWEST;
  for (const row of rows) {
    for (const place of places.at(-1) as number[]) {
      const i = row * last.size + place;
      if (isMasked(i)) break;
      largest = Math.max(largest, value(i));
    }
  }
  return largest;
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.MaxpoolWithMask */
export const maxpoolWithMask = defineOp({
  domain: 'com.microsoft',
  name: 'MaxpoolWithMask',
  signature: 'X: T, M: int32 -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...own, kernel_shape: ints.required, storage_order: int(0) },
  infer(c) {
    const [dims, mask] = [c.dims(0), c.dims(1)];
    if (dims && (dims.length < 3 || dims.length > 5))
      c.fail('INVALID_SHAPE', `input 0 must have one to three spatial axes, not [${dims}]`);
    if (dims && mask && (mask.length !== dims.length || dims.some((d, axis) => axis > 1 && differ(d, mask[axis]))))
      c.fail('INVALID_SHAPE', `input 1 must be [N, C, ${dims.slice(2)}], not [${mask}]`);
    return [tensorType('float32', dims && [...dims.slice(0, 2), ...windowsIn(c).map(({ out }) => out)])];
  },
  evaluate(c) {
    const [x, mask] = [numbersOf(c.tensor(0)), numbersOf(c.tensor(1))];
    const { dims } = c.result(0);
    const windows = windowsIn(c) as KnownWindow[];
    const plane = windows.reduce((n, { size }) => n * size, 1);
    const count = windows.reduce((n, { out }) => n * out, 1);
    const masks = mask.length / Math.max(plane, 1);
    const y = new Float64Array(dims.reduce((n, d) => n * d, 1));
    for (let i = 0; i < y.length; i++) {
      const channel = Math.floor(i / count);
      // As in onnxruntime: the offset of the plane, modulo the number of masks.
      const from = (channel * plane) % masks;
      let rest = i % count;
      const at = windows.map(() => 0);
      for (let axis = windows.length - 1; axis >= 0; axis--) {
        const { out } = windows[axis] as KnownWindow;
        at[axis] = rest % out;
        rest = Math.floor(rest / out);
      }
      account()?.spend(windows.reduce((n, { kernel }) => n * kernel, 4));
      const isFirstOpen = windows.length > 1;
      y[i] = largestIn(
        windows,
        at,
        (k) => x[channel * plane + k] as number,
        (k) => (k > 0 || !isFirstOpen) && mask[from + k] === 0,
      );
    }
    return [tensorOf('float32', dims, y)];
  },
});

const windowsIn = (c: Inference<Omit<PoolAttributes, 'dilations'>>) =>
  poolWindows(c as Inference<PoolAttributes>, (c.dims(0) ?? []).slice(2));
