import { account } from '../../../account.js';
import { coordinatesIn } from '../../../graph/dims.js';
import { crossed, linearTaps } from '../../../primitives/grid-taps.js';
import type { KnownWindow } from '../../../primitives/window.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount, type TensorValue } from '../../../tensor/tensor-value.js';

interface Operands {
  readonly x: TensorValue;
  readonly w: TensorValue;
  readonly offset: TensorValue;
  readonly bias: TensorValue | undefined;
  readonly mask: TensorValue | undefined;
  readonly group: number;
  readonly offsetGroups: number;
  readonly windows: readonly KnownWindow[];
}

/** DeformConv of [N, C, spatial…] with weights [M, C / group, kernel…] in double precision. */
export function convolveDeformed({ x, w, offset, bias, mask, group, offsetGroups, windows }: Operands): TensorValue {
  const [batch, channels] = x.dims as [number, number];
  const [outChannels, own] = w.dims as [number, number];
  const axes = windows.length;
  const sizes = windows.map(({ size }) => size);
  const [outs, kernel] = [windows.map(({ out }) => out), windows.map((window) => window.kernel)];
  const [size, plane, taps] = [elementCount(sizes), elementCount(outs), elementCount(kernel)];
  const [values, weights, offsets] = [numbersOf(x), numbersOf(w), numbersOf(offset)];
  const [biases, masks] = [bias && numbersOf(bias), mask && numbersOf(mask)];
  const shared = channels / offsetGroups;
  const places = coordinatesIn(outs);
  const within = coordinatesIn(kernel);
  const y = Float64Array.from(
    { length: batch * outChannels * plane },
    (_, i) => biases?.[Math.floor(i / plane) % outChannels] ?? 0,
  );

  /** Values that tap k of an offset group reads from each of its channels at output `pixel`. */
  const columnOf = (n: number, part: number, k: number, pixel: number): number[] => {
    const at = (n * offsetGroups + part) * taps + k;
    const along = windows.map(({ stride, dilation, padBefore, size }, axis) => {
      const start = (places[pixel]?.[axis] as number) * stride - padBefore;
      const moved = start + (within[k]?.[axis] as number) * dilation;
      return linearTaps(moved + (offsets[(at * axes + axis) * plane + pixel] as number), size);
    });
    const neighbors = crossed(along, sizes);
    const scale = masks ? (masks[at * plane + pixel] as number) : 1;
    return Array.from({ length: shared }, (_, c) => {
      const first = (n * channels + part * shared + c) * size;
      return neighbors.reduce((sum, tap) => sum + scale * tap.weight * (values[first + tap.at] as number), 0);
    });
  };

  for (let i = 0; i < batch * offsetGroups * taps * plane; i++) {
    account()?.spend(shared * (8 + outChannels / group));
    const pixel = i % plane;
    const k = Math.floor(i / plane) % taps;
    const part = Math.floor(i / plane / taps) % offsetGroups;
    const n = Math.floor(i / plane / taps / offsetGroups);
    columnOf(n, part, k, pixel).forEach((value, c) => {
      const channel = part * shared + c;
      const target = Math.floor(channel / own);
      for (let m = (target * outChannels) / group; m < ((target + 1) * outChannels) / group; m++) {
        const to = (n * outChannels + m) * plane + pixel;
        y[to] = (y[to] as number) + value * (weights[(m * own + (channel % own)) * taps + k] as number);
      }
    });
  }
  return tensorOf(x.type, [batch, outChannels, ...outs], y);
}
