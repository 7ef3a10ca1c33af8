import { countOf, plain } from './array.js';
import { int, ints, listed, type Reference, type ReferenceNode, type References, tensor, text } from './definition.js';
import { isFloat, isWide } from './number-types.js';
import { type Axis, axesOf, extentOf, windowsOver } from './windows.js';

export interface Volume {
  readonly dims: readonly number[];
  readonly data: readonly number[];
}

/** X [N, C, spatial…] with W [M, C / group, kernel…]; outside X is 0. */
export function convolve(node: ReferenceNode, x: Volume, w: Volume): Volume {
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const [maps, depth, ...kernels] = w.dims as [number, number, ...number[]];
  const group = int(node, 'group', 1);
  if (depth * group !== channels) throw new RangeError(`${channels} channels in ${group} groups of ${depth}`);
  const axes = axesOf(node, sizes, kernels);
  const { source, starts, places } = windowsOver(axes);
  const plane = countOf(sizes);
  const data: number[] = [];
  for (let n = 0; n < batch; n++) {
    for (let m = 0; m < maps; m++) {
      const firstChannel = n * channels + Math.floor(m / (maps / group)) * depth;
      for (let o = 0; o < starts.length; o++) {
        let sum = 0;
        for (let c = 0; c < depth; c++) {
          const from = (firstChannel + c) * plane;
          const weights = (m * depth + c) * places.length;
          for (let k = 0; k < places.length; k++) {
            const at = source[(starts[o] as number) + (places[k] as number)] as number;
            if (at >= 0) sum += (x.data[from + at] as number) * (w.data[weights + k] as number);
          }
        }
        data.push(sum);
      }
    }
  }
  return { dims: [batch, maps, ...axes.map(({ out }) => out)], data };
}

/** Adds one number to every channel. */
function biased({ dims, data }: Volume, bias: readonly number[] | undefined): number[] {
  const inner = countOf(dims.slice(2));
  return data.map((x, i) => x + (bias?.[Math.floor(i / inner) % bias.length] ?? 0));
}

const Conv: Reference = (node) => {
  const [x, w] = [tensor(node, 0), tensor(node, 1)];
  if (!isFloat(x.type)) return undefined;
  const result = convolve(node, x as Volume, w as Volume);
  return [plain(x.type, result.dims, biased(result, listed(node, 2)))];
};

/** Padding that makes the output as large as it is to be. */
function paddingFor(node: ReferenceNode, full: number, out: number): readonly [number, number] {
  const total = full - out;
  const half = Math.floor(total / 2);
  return text(node, 'auto_pad', 'NOTSET') === 'SAME_UPPER' ? [half, total - half] : [total - half, half];
}

/** Windows over the output, one for each element of the input. */
function transposedAxes(node: ReferenceNode, sizes: readonly number[], kernels: readonly number[]): Axis[] {
  const [strides, dilations, pads] = ['strides', 'dilations', 'pads'].map((name) => ints(node, name));
  const extra = ints(node, 'output_padding');
  const shape = ints(node, 'output_shape');
  const auto = text(node, 'auto_pad', 'NOTSET');
  return sizes.map((out, i) => {
    const [kernel = 1, stride = 1, dilation = 1] = [kernels[i], strides?.[i], dilations?.[i]];
    const full = stride * (out - 1) + extentOf(kernel, dilation) + (extra?.[i] ?? 0);
    const fixed = { kernel, stride, dilation, out };
    const wanted = shape?.slice(-sizes.length)[i] ?? (auto.startsWith('SAME') ? out * stride : undefined);
    if (wanted !== undefined) {
      const [padBegin, padEnd] = paddingFor(node, full, wanted);
      return { ...fixed, size: wanted, padBegin, padEnd };
    }
    const explicit = auto === 'VALID' ? undefined : pads;
    const [padBegin = 0, padEnd = 0] = [explicit?.[i], explicit?.[sizes.length + i]];
    return { ...fixed, size: full - padBegin - padEnd, padBegin, padEnd };
  });
}

/** X [N, C, spatial…] with W [C, M / group, kernel…]: every element of X adds a kernel to the output. Open: where it starts in outputs wanted larger than that fills. */
const ConvTranspose: Reference = (node) => {
  const [x, w] = [tensor(node, 0), tensor(node, 1)];
  if (!isFloat(x.type)) return undefined;
  const [batch, channels, ...sizes] = x.dims as [number, number, ...number[]];
  const [, depth, ...kernels] = w.dims as [number, number, ...number[]];
  const group = int(node, 'group', 1);
  const maps = depth * group;
  const axes = transposedAxes(node, sizes, kernels);
  if (axes.some(({ padBegin }) => padBegin < 0)) return undefined;
  const { source, starts, places } = windowsOver(axes);
  const outSizes = axes.map(({ size }) => size);
  const plane = countOf(outSizes);
  const data = new Array<number>(batch * maps * plane).fill(0);
  for (let n = 0; n < batch; n++) {
    for (let c = 0; c < channels; c++) {
      const from = (n * channels + c) * starts.length;
      const firstMap = n * maps + Math.floor(c / (channels / group)) * depth;
      for (let m = 0; m < depth; m++) {
        const weights = (c * depth + m) * places.length;
        const to = (firstMap + m) * plane;
        for (let i = 0; i < starts.length; i++) {
          for (let k = 0; k < places.length; k++) {
            const at = source[(starts[i] as number) + (places[k] as number)] as number;
            if (at < 0) continue;
            data[to + at] = (data[to + at] as number) + (x.data[from + i] as number) * (w.data[weights + k] as number);
          }
        }
      }
    }
  }
  const dims = [batch, maps, ...outSizes];
  return [plain(x.type, dims, biased({ dims, data }, listed(node, 2)))];
};

/** Columns [N, C · places, windows] added up where they came from in images. */
const Col2Im: Reference = (node) => {
  const x = tensor(node, 0);
  if (x.type === 'string') return undefined;
  const [sizes, block] = [listed(node, 1), listed(node, 2)] as [number[], number[]];
  const { source, starts, places } = windowsOver(axesOf(node, sizes, block));
  const [batch, rows] = x.dims as [number, number];
  const channels = rows / places.length;
  const plane = countOf(sizes);
  const zero = (isWide(x.type) ? 0n : 0) as number;
  const data = new Array<number>(batch * channels * plane).fill(zero);
  x.data.forEach((value, i) => {
    const row = Math.floor(i / starts.length);
    const place = places[row % places.length] as number;
    const at = source[(starts[i % starts.length] as number) + place] as number;
    const to = Math.floor(row / places.length) * plane + at;
    if (at >= 0) data[to] = (data[to] as number) + (value as number);
  });
  return [plain(x.type, [batch, channels, ...sizes], data)];
};

export const CONVOLUTION: References = { Conv, ConvTranspose, Col2Im };
