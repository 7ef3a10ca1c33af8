import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { add, type Size } from '../../graph/sizes.js';
import { tensorType } from '../../graph/types.js';
import { int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { axisOf } from '../../schema/shapes.js';
import { emitOne } from '../emit.js';
import {
  BYTES,
  dequantizedFrom,
  knownLevels,
  levelsAt,
  quantizedTo,
  requireOneLevel,
  throughTable,
} from './quantized-operands.js';

const [Y_SCALE, Y_ZERO, FIRST] = [0, 1, 2];

/** Input indices of the tensors to join; each is followed by its scale and zero point. */
function positions(c: Inference<unknown>): number[] {
  const count = (c.inputCount - FIRST) / 3;
  if (!Number.isInteger(count) || count < 1)
    c.fail('INVALID_GRAPH', `expected 2 inputs and 3 more for each tensor, got ${c.inputCount}`);
  return Array.from({ length: count }, (_, i) => FIRST + 3 * i);
}

function checkTypes(c: Inference<unknown>, x: number): void {
  const wanted = c.element(Y_ZERO);
  const given = [x, x + 1, x + 2].map((i) => c.element(i));
  if (String(given) !== String([wanted, 'float32', wanted]))
    c.fail('INVALID_TYPE', `inputs ${x} to ${x + 2} must be ${wanted}, float32 and ${wanted}, not ${given.join(', ')}`);
  requireOneLevel(c, x + 1);
}

function joinedDims(c: Inference<{ readonly axis: number }>, all: readonly (readonly Size[] | undefined)[]) {
  const [first] = all;
  if (!first || !all.every((dims) => dims !== undefined)) return undefined;
  const axis = axisOf(c, c.attributes.axis, first.length);
  if (all.some((dims) => dims.length !== first.length))
    c.fail('INVALID_SHAPE', `ranks of [${all.join('], [')}] differ`);
  return first.map((size, d) => {
    const sizes = all.map((dims) => dims[d] as Size);
    if (d === axis) return add(...sizes);
    const numbers = new Set(sizes.filter((n) => typeof n === 'number'));
    if (numbers.size > 1)
      c.fail('INVALID_SHAPE', `[${all.join('], [')}] differ in axis ${d}, not only in axis ${axis}`);
    return [...numbers][0] ?? size;
  });
}

/** The tensor at input `x`, requantized to the scale and zero point of the result. */
function recounted(c: Decomposition<unknown>, x: number): Value {
  const [own, result] = [knownLevels(c, x + 1), knownLevels(c, Y_SCALE)];
  if (own && result && own.scale === result.scale && own.zero === result.zero) return c.input(x);
  const [levels, wanted] = [levelsAt(c, x + 1), levelsAt(c, Y_SCALE)];
  const recount = (bytes: Value) => quantizedTo(c, dequantizedFrom(c, bytes, levels), wanted, c.element(Y_ZERO));
  return throughTable(c, x, Y_SCALE, recount);
}

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.QLinearConcat */
export const qLinearConcat = defineOp({
  domain: 'com.microsoft',
  name: 'QLinearConcat',
  signature: 'Y_scale: float32, Y_zero_point: T8, inputs*: TV -> Y: T8',
  types: { T8: BYTES, TV: [...BYTES, 'float32'] },
  attributes: { axis: int.required },
  infer(c) {
    requireOneLevel(c, Y_SCALE);
    const tensors = positions(c);
    for (const x of tensors) checkTypes(c, x);
    return [
      tensorType(
        c.element(Y_ZERO),
        joinedDims(
          c,
          tensors.map((x) => c.dims(x)),
        ),
      ),
    ];
  },
  decompose: (c) => [
    emitOne(
      c,
      'Concat',
      positions(c).map((x) => recounted(c, x)),
      { axis: intAttribute(c.attributes.axis) },
    ),
  ],
});
