import { plain } from './array.js';
import type { Volume } from './convolution.js';
import { int, listed, type Reference, type References, tensor } from './definition.js';
import { type Axis, axesOf } from './windows.js';

/** The element at a point between pixels; 0 outside. */
function between(data: readonly number[], start: number, height: number, width: number, y: number, x: number): number {
  const [top, left] = [Math.floor(y), Math.floor(x)];
  let sum = 0;
  for (const row of [top, top + 1]) {
    for (const column of [left, left + 1]) {
      if (row < 0 || row >= height || column < 0 || column >= width) continue;
      const weight = (1 - Math.abs(y - row)) * (1 - Math.abs(x - column));
      sum += weight * (data[start + row * width + column] as number);
    }
  }
  return sum;
}

/** Of pictures: each place of each window moved by an offset of its own, and weighed by a mask. */
const DeformConv: Reference = (node) => {
  const [x, w, offset] = [tensor(node, 0), tensor(node, 1), tensor(node, 2)] as [Volume, Volume, Volume];
  const [bias, mask] = [listed(node, 3), listed(node, 4)];
  if (x.dims.length !== 4) return undefined;
  const [batch, channels, height, width] = x.dims as [number, number, number, number];
  const [maps, depth, ...kernels] = w.dims as [number, number, number, number];
  const [group, offsetGroup] = [int(node, 'group', 1), int(node, 'offset_group', 1)];
  const [vertical, horizontal] = axesOf(node, [height, width], kernels) as [Axis, Axis];
  const [count, points] = [kernels[0] * kernels[1], vertical.out * horizontal.out];
  const data: number[] = [];
  for (let n = 0; n < batch; n++) {
    for (let m = 0; m < maps; m++) {
      const first = Math.floor(m / (maps / group)) * depth;
      for (let point = 0; point < points; point++) {
        const top = Math.floor(point / horizontal.out) * vertical.stride - vertical.padBegin;
        const left = (point % horizontal.out) * horizontal.stride - horizontal.padBegin;
        let sum = bias?.[m] ?? 0;
        for (let c = first; c < first + depth; c++) {
          const own = n * offsetGroup + Math.floor(c / (channels / offsetGroup));
          for (let k = 0; k < count; k++) {
            const at = (own * count + k) * 2 * points + point;
            const y = top + Math.floor(k / kernels[1]) * vertical.dilation + (offset.data[at] as number);
            const across = left + (k % kernels[1]) * horizontal.dilation + (offset.data[at + points] as number);
            const value = between(x.data, (n * channels + c) * height * width, height, width, y, across);
            const weight = w.data[(m * depth + c - first) * count + k] as number;
            sum += value * weight * (mask?.[(own * count + k) * points + point] ?? 1);
          }
        }
        data.push(sum);
      }
    }
  }
  return [plain(tensor(node, 0).type, [batch, maps, vertical.out, horizontal.out], data)];
};

export const DEFORMABLE_CONVOLUTION: References = { DeformConv };
