import { intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import { floorDivide, isKnown, multiply, type Size } from '../../../graph/sizes.js';
import { int, oneOf } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { dimsOfRank, like } from '../../../schema/shapes.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn } from '../../emit.js';
import { shapeOf, sizesAlong } from '../../emit-shapes.js';

type Shape = readonly (Value | number)[];

/** Emits Reshape, Transpose and Reshape. */
function rearranged(c: Decomposition<unknown>, split: Shape, perm: number[], joined: Shape): Value[] {
  const asItIs = { allowzero: intAttribute(1) };
  const [parts] = c.emit('Reshape', [c.input(0), shapeOf(c, ...split)], asItIs) as [Value];
  const [moved] = c.emit('Transpose', [parts], permutation(perm)) as [Value];
  return c.emit('Reshape', [moved, shapeOf(c, ...joined)], asItIs);
}

/** The number of channels, and the batch and the sizes of the picture as int64 lists; undefined while a size is unknown. */
function sizesOf(c: Decomposition<unknown>) {
  const dims = dimsOfRank(c, 0, 4);
  if (!isKnown(dims)) return undefined;
  const [n, h, w] = [0, 2, 3].map((axis) => sizesAlong(c, c.input(0), axis, axis + 1)) as [Value, Value, Value];
  return { n, channels: dims[1] as number, h, w };
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
    const sizes = sizesOf(c);
    if (!sizes) return undefined;
    const { n, channels: depth, h, w } = sizes;
    const { blocksize: b, mode } = c.attributes;
    const channels = depth / (b * b);
    const f = arithmeticOn(c, 'int64');
    const joined = [n, channels, f('Mul', h, b), f('Mul', w, b)];
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
    const sizes = sizesOf(c);
    if (!sizes) return undefined;
    const { n, channels, h: height, w: width } = sizes;
    const { blocksize: b, mode } = c.attributes;
    const f = arithmeticOn(c, 'int64');
    const [h, w] = [f('Div', height, b), f('Div', width, b)];
    const perm = mode === 'CRD' ? [0, 1, 3, 5, 2, 4] : [0, 3, 5, 1, 2, 4];
    return rearranged(c, [n, channels, h, b, w, b], perm, [n, channels * b * b, h, w]);
  },
});
