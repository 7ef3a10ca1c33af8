import type { AxisWindow, KnownWindow } from '../../../primitives/window.js';

const UNIT: KnownWindow = { size: 1, kernel: 1, stride: 1, dilation: 1, padBefore: 0, padAfter: 0, out: 1 };

/** Known windows of the last 2 or 3 axes; axes that the operator lacks have one element. */
export function innermost(windows: readonly AxisWindow[], rank: 2): [KnownWindow, KnownWindow];
export function innermost(windows: readonly AxisWindow[], rank: 3): [KnownWindow, KnownWindow, KnownWindow];
export function innermost(windows: readonly AxisWindow[], rank: number): KnownWindow[] {
  return [...Array<KnownWindow>(rank - windows.length).fill(UNIT), ...(windows as KnownWindow[])];
}

/** The fields by which kernels of two spatial axes know their window. */
export function planeFields(windows: readonly AxisWindow[]) {
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

/** The fields by which kernels of three spatial axes know their window. */
export function volumeFields(windows: readonly AxisWindow[]) {
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
