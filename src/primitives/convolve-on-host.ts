import { account } from '../account.js';
import { numbersOf, tensorOf } from '../tensor/numbers.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import { windowsOfPlane } from './pool-on-host.js';
import type { KnownWindow } from './window.js';

interface Operands {
  readonly x: TensorValue;
  readonly w: TensorValue;
  readonly bias: TensorValue | undefined;
  readonly group: number;
  readonly windows: readonly KnownWindow[];
}

const outputOf = ({ x, bias, windows }: Operands, channels: number) => {
  const dims = [x.dims[0] as number, channels, ...windows.map((w) => w.out)];
  const plane = elementCount(dims.slice(2));
  const offsets = bias ? numbersOf(bias) : undefined;
  const y = Float64Array.from({ length: elementCount(dims) }, (_, i) =>
    offsets ? (offsets[Math.floor(i / plane) % channels] as number) : 0,
  );
  return { dims, plane, y };
};

/** Conv of [N, C, spatial…] with weights [M, C / group, kernel…] in double precision. */
export function convolveOnHost(operands: Operands): TensorValue {
  const { x, w, group, windows } = operands;
  const [outChannels, own] = w.dims as [number, number];
  const { dims, plane, y } = outputOf(operands, outChannels);
  const [values, weights] = [numbersOf(x), numbersOf(w)];
  const taps = windowsOfPlane(windows);
  const size = elementCount(windows.map(({ size }) => size));
  const kernel = elementCount(w.dims.slice(2));
  for (let i = 0; i < y.length; i++) {
    const n = Math.floor(i / plane / outChannels);
    const m = Math.floor(i / plane) % outChannels;
    const first = n * own * group + Math.floor((m * group) / outChannels) * own;
    account()?.spend(own * kernel);
    const window = taps[i % plane] as number[];
    let sum = y[i] as number;
    for (let c = 0; c < own; c++) {
      for (let k = 0; k < kernel; k++) {
        const at = window[k] as number;
        if (at >= 0)
          sum += (values[(first + c) * size + at] as number) * (weights[(m * own + c) * kernel + k] as number);
      }
    }
    y[i] = sum;
  }
  return tensorOf(x.type, dims, y);
}

/** ConvTranspose of [N, C, spatial…] with weights [C, M / group, kernel…] in double precision. */
export function convolveTransposedOnHost(operands: Operands): TensorValue {
  const { x, w, group, windows } = operands;
  const [channels, own] = w.dims as [number, number];
  const { dims, plane, y } = outputOf(operands, own * group);
  const [values, weights] = [numbersOf(x), numbersOf(w)];
  const taps = windowsOfPlane(windows.map(transposed));
  const kernel = elementCount(w.dims.slice(2));
  for (let i = 0; i < values.length; i++) {
    account()?.spend(own * kernel);
    const window = taps[i % taps.length] as number[];
    const c = Math.floor(i / taps.length) % channels;
    const n = Math.floor(i / taps.length / channels);
    const first = n * own * group + Math.floor((c * group) / channels) * own;
    for (let m = 0; m < own; m++) {
      for (let k = 0; k < kernel; k++) {
        const at = window[k] as number;
        const to = (first + m) * plane + at;
        if (at >= 0)
          y[to] = (y[to] as number) + (values[i] as number) * (weights[(c * own + m) * kernel + k] as number);
      }
    }
  }
  return tensorOf(x.type, dims, y);
}

/** The window whose taps are the outputs that an input contributes to. */
const transposed = (window: KnownWindow): KnownWindow => ({
  ...window,
  size: window.out,
  out: window.size,
  padAfter: Number.POSITIVE_INFINITY,
});
