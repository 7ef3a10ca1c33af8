import type { AxisWindow } from '../../../primitives/window.js';

const UNIT: AxisWindow = { size: 1, kernel: 1, stride: 1, dilation: 1, padBefore: 0, padAfter: 0, out: 1 };

/** Windows of the last 2 or 3 axes; missing axes have size 1. */
export function innermost<W extends AxisWindow>(windows: readonly W[], rank: 2): [W, W];
export function innermost<W extends AxisWindow>(windows: readonly W[], rank: 3): [W, W, W];
export function innermost<W extends AxisWindow>(windows: readonly W[], rank: number): W[] {
  return [...Array<W>(rank - windows.length).fill(UNIT as W), ...windows];
}

/** Window fields of kernels with two spatial axes. */
export function planeFields<W extends AxisWindow>(windows: readonly W[]) {
  const [rows, columns] = innermost(windows, 2);
  return {
    height: rows.size,
    width: columns.size,
    outHeight: rows.out,
    outWidth: columns.out,
    kernelHeight: rows.kernel,
    kernelWidth: columns.kernel,
    strideHeight: rows.stride,
    strideWidth: columns.stride,
    dilationHeight: rows.dilation,
    dilationWidth: columns.dilation,
    padTop: rows.padBefore,
    padLeft: columns.padBefore,
  };
}

/** Window fields of kernels with three spatial axes. */
export function volumeFields<W extends AxisWindow>(windows: readonly W[]) {
  const [planes, ...rest] = innermost(windows, 3);
  return {
    ...planeFields(rest),
    depth: planes.size,
    outDepth: planes.out,
    kernelDepth: planes.kernel,
    strideDepth: planes.stride,
    dilationDepth: planes.dilation,
    padFront: planes.padBefore,
  };
}
