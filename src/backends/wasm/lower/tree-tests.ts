import { TreeTest } from '../../../../build/kernels.js';
import type { Branch, Test, TreeNode } from '../../../primitives/trees.js';

export type TreeElement = 'float32' | 'float64';

/** A branch for the kernel, which continues at `first` if the test passes. */
export interface KernelTest {
  readonly kind: number;
  readonly values: readonly number[];
  readonly first: TreeNode;
  readonly second: TreeNode;
}

/** ONNX's tests in terms of the kernel's: x > t is the opposite of x ≤ t, x < t is x ≤ the number before t. */
const KERNEL_TESTS: Record<Test, { kind: number; bound?: 'below' | 'at'; swap?: boolean; nan?: boolean }> = {
  LEQ: { kind: TreeTest.AT_MOST, bound: 'at' },
  LT: { kind: TreeTest.AT_MOST, bound: 'below' },
  GTE: { kind: TreeTest.AT_MOST, bound: 'below', swap: true },
  GT: { kind: TreeTest.AT_MOST, bound: 'at', swap: true },
  EQ: { kind: TreeTest.EQUAL },
  NEQ: { kind: TreeTest.EQUAL, swap: true, nan: true },
  MEMBER: { kind: TreeTest.MEMBER },
};

export function kernelTest(
  { test, values, missingPasses, whenTrue, whenFalse }: Branch,
  element: TreeElement,
): KernelTest {
  const { kind, bound, swap = false, nan = false } = KERNEL_TESTS[test];
  const nanPasses = (missingPasses || nan) !== swap;
  const round = bound ? (x: number) => boundBy(x, element, bound === 'below') : (x: number) => exactly(x, element);
  return {
    kind: kind | (nanPasses ? TreeTest.NAN_PASSES : 0),
    values: values.map(round),
    first: swap ? whenFalse : whenTrue,
    second: swap ? whenTrue : whenFalse,
  };
}

/** x if the element type represents it exactly, else NaN, which equals nothing. */
const exactly = (x: number, element: TreeElement) => (element === 'float64' || Math.fround(x) === x ? x : Number.NaN);

const f32 = new Float32Array(1);
const i32 = new Int32Array(f32.buffer);
const f64 = new Float64Array(1);
const i64 = new BigInt64Array(f64.buffer);

/** The largest number of the element type that is at most x, or less than x if `below`. */
function boundBy(x: number, element: TreeElement, below: boolean): number {
  const near = element === 'float32' ? Math.fround(x) : x;
  return near < x || (near === x && !below) ? near : predecessor(near, element);
}

function predecessor(x: number, element: TreeElement): number {
  if (Number.isNaN(x) || x === Number.NEGATIVE_INFINITY) return Number.NaN;
  const up = x <= 0;
  if (element === 'float32') {
    f32[0] = x === 0 ? -0 : x;
    i32[0] = (i32[0] as number) + (up ? 1 : -1);
    return f32[0] as number;
  }
  f64[0] = x === 0 ? -0 : x;
  i64[0] = (i64[0] as bigint) + (up ? 1n : -1n);
  return f64[0] as number;
}
