import { type Data, prepare, waysOf } from './channels-first-engine.js';
import { type Layer, outSize } from './networks.js';

type Shape = [kernel: number, stride: number, pad: number, size: number, channels: number, outChannels: number];

const convolutions: Shape[] = [
  [1, 1, 0, 7, 13, 23],
  [1, 1, 0, 14, 8, 17],
  [1, 1, 0, 5, 3, 6],
  [1, 2, 0, 14, 5, 9],
  [3, 1, 1, 7, 5, 11],
  [3, 1, 1, 13, 4, 7],
  [3, 2, 1, 14, 3, 10],
  [3, 2, 0, 23, 3, 8],
  [7, 2, 3, 30, 3, 16],
];

const depthwise: [stride: number, size: number, channels: number][] = [
  [1, 7, 3],
  [1, 14, 5],
  [1, 24, 2],
  [2, 14, 3],
  [2, 28, 2],
];

const cases: Layer[] = [
  ...convolutions.map(([kernel, stride, pad, size, channels, outChannels]): Layer => {
    return { kind: kernel === 1 ? '1×1' : '3×3', kernel, stride, pad, size, channels, outChannels, times: 1 };
  }),
  ...depthwise.map(([stride, size, channels]): Layer => {
    return { kind: 'depthwise', kernel: 3, stride, pad: 1, size, channels, outChannels: channels, times: 1 };
  }),
];

const BOUND = 1e-6;

export function randomData(layer: Layer): Data {
  const random = (count: number) => Float32Array.from({ length: count }, () => Math.random() * 2 - 1);
  const { channels, outChannels, size, kernel, kind } = layer;
  const depth = (kind === 'depthwise' ? 1 : channels) * kernel ** 2;
  return { x: random(channels * size * size), w: random(outChannels * depth), bias: random(outChannels) };
}

/** The definition, in float64. */
function expected(layer: Layer, { x, w, bias }: Data): Float64Array {
  const { channels, outChannels, size, kernel, stride, pad, kind } = layer;
  const out = outSize(layer);
  const groupChannels = kind === 'depthwise' ? 1 : channels;
  const at = (array: Float32Array, index: number) => array[index] as number;
  return Float64Array.from({ length: outChannels * out * out }, (_, index) => {
    const channel = Math.floor(index / (out * out));
    const top = (Math.floor(index / out) % out) * stride - pad;
    const left = (index % out) * stride - pad;
    let sum = at(bias, channel);
    for (let c = 0; c < groupChannels; c++) {
      const map = (kind === 'depthwise' ? channel : c) * size;
      for (let tap = 0; tap < kernel ** 2; tap++) {
        const [row, column] = [top + Math.floor(tap / kernel), left + (tap % kernel)];
        if (row < 0 || row >= size || column < 0 || column >= size) continue;
        sum += at(x, (map + row) * size + column) * at(w, (channel * groupChannels + c) * kernel ** 2 + tap);
      }
    }
    return sum;
  });
}

/** Throws unless every way of every case gives the values of the definition. */
export function verify(module: WebAssembly.Module): void {
  for (const layer of cases) {
    const data = randomData(layer);
    const values = expected(layer, data);
    const { run, output } = prepare(module, layer, data);
    for (const way of waysOf(layer)) {
      output.fill(Number.NaN);
      run(way);
      const difference = Math.hypot(...values.map((value, i) => value - (output[i] as number)));
      const error = difference / Math.hypot(...values);
      if (error < BOUND) continue;
      throw new Error(`${JSON.stringify({ ...layer, ...way })}: relative error ${error}`);
    }
  }
}
