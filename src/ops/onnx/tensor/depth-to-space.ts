import type { Attribute, Value } from '../../../graph/graph.js';
import { floorDivide, isKnown, multiply, type Size } from '../../../graph/sizes.js';
import { int, oneOf } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';

/** Emits Reshape, Transpose and Reshape. */
function rearranged(c: Decomposition<unknown>, split: number[], perm: number[], joined: number[]): Value[] {
  const shape = (dims: number[]) =>
    c.constant({ type: 'int64', dims: [dims.length], data: BigInt64Array.from(dims, BigInt) });
  const attributes: Record<string, Attribute> = { perm: { type: 'ints', value: perm } };
  const asItIs: Record<string, Attribute> = { allowzero: { type: 'int', value: 1 } };
  const [parts] = c.emit('Reshape', [c.input(0), shape(split)], asItIs) as [Value];
  const [moved] = c.emit('Transpose', [parts], attributes) as [Value];
  return c.emit('Reshape', [moved, shape(joined)], asItIs);
}

function known(c: Inference<unknown>): [number, number, number, number] | undefined {
  const dims = dimsOfRank(c, 0, 4);
  return isKnown(dims) ? (dims as unknown as [number, number, number, number]) : undefined;
}

/** The shape [N, C, H, W] with `change` applied to each size. */
function scaled(c: Inference<unknown>, change: (dim: Size, axis: number) => Size): Size[] | undefined {
  return dimsOfRank(c, 0, 4)?.map(change);
}

function divided(c: Inference<unknown>, dim: Size, by: number): Size {
  if (typeof dim === 'number' && dim % by !== 0) c.fail('INVALID_SHAPE', `${dim} is not a multiple of ${by}`);
  return floorDivide(dim, by);
}

/** https://onnx.ai/onnx/operators/onnx__DepthToSpace.html */
export const depthToSpace = defineOp({
  name: 'DepthToSpace',
  signature: 'input: T -> output: T',
  types: { T: ANY },
  attributes: { blocksize: int.required, mode: oneOf('DCR', 'CRD') },
  infer(c) {
    const b = c.attributes.blocksize;
    const change = (dim: Size, axis: number) =>
      axis === 0 ? dim : axis === 1 ? divided(c, dim, b * b) : multiply(dim, b);
    return [like(c, 0, scaled(c, change))];
  },
  decompose(c) {
    const dims = known(c);
    if (!dims) return undefined;
    const [n, depth, h, w] = dims;
    const { blocksize: b, mode } = c.attributes;
    const channels = depth / (b * b);
    const joined = [n, channels, h * b, w * b];
    return mode === 'CRD'
      ? rearranged(c, [n, channels, b, b, h, w], [0, 1, 4, 2, 5, 3], joined)
      : rearranged(c, [n, b, b, channels, h, w], [0, 3, 4, 1, 5, 2], joined);
  },
});

/** https://onnx.ai/onnx/operators/onnx__SpaceToDepth.html */
export const spaceToDepth = defineOp({
  name: 'SpaceToDepth',
  signature: 'input: T -> output: T',
  types: { T: ANY },
  attributes: { blocksize: int.required, mode: oneOf('DCR', 'CRD') },
  infer(c) {
    const b = c.attributes.blocksize;
    const change = (dim: Size, axis: number) =>
      axis === 0 ? dim : axis === 1 ? multiply(dim, b * b) : divided(c, dim, b);
    return [like(c, 0, scaled(c, change))];
  },
  decompose(c) {
    const dims = known(c);
    if (!dims) return undefined;
    const [n, channels, height, width] = dims;
    const { blocksize: b, mode } = c.attributes;
    const [h, w] = [height / b, width / b];
    const perm = mode === 'CRD' ? [0, 1, 3, 5, 2, 4] : [0, 3, 5, 1, 2, 4];
    return rearranged(c, [n, channels, h, b, w, b], perm, [n, channels * b * b, h, w]);
  },
});
