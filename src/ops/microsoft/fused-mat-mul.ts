import { floatAttribute, intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { productDims } from '../../primitives/product-dims.js';
import { float, int } from '../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { permutation } from '../channels-last.js';
import { arithmeticOn, emitOne } from '../emit.js';
import { throughFloat32 } from '../through-float32.js';

interface FusedAttributes {
  readonly alpha: number;
  readonly transA: number;
  readonly transB: number;
  readonly transBatchA?: number;
  readonly transBatchB?: number;
}

const product = { alpha: float(1), transA: int(0), transB: int(0) };

/** Transpositions of each operand: `swapped` its last two axes; `rolled` its first axis, to behind the batch axes. */
const turnsOf = ({ transA, transB, transBatchA = 0, transBatchB = 0 }: FusedAttributes) => [
  { swapped: transA !== 0, rolled: transBatchA !== 0 },
  { swapped: transB !== 0, rolled: transBatchB !== 0 },
];

/** Permutation that moves the first axis behind the batch axes: 1, 2 … 0, last. */
const rolledAxes = (rank: number): number[] => [...Array.from({ length: rank - 2 }, (_, i) => i + 1), 0, rank - 1];

/** Shape of an operand with its batch axes first, before the last two axes are swapped. */
function matricesOf(c: Inference<FusedAttributes>, i: number): readonly Size[] | undefined {
  const dims = c.dims(i);
  if (!dims || !turnsOf(c.attributes)[i]?.rolled) return dims;
  if (dims.length < 3) c.fail('INVALID_SHAPE', `input ${i} must have a batch to transpose, not [${dims}]`);
  return rolledAxes(dims.length).map((axis) => dims[axis] as Size);
}

/** The operand with its batch axes first. */
function operand(c: Decomposition<FusedAttributes>, i: number): Value {
  const rank = (c.dims(i) as readonly Size[]).length;
  const { rolled } = turnsOf(c.attributes)[i] as { rolled: boolean };
  return rolled ? emitOne(c, 'Transpose', [c.input(i)], permutation(rolledAxes(rank))) : c.input(i);
}

/** The operand with its batch axes first and its last two axes swapped if required. */
function transposed(c: Decomposition<FusedAttributes>, i: number): Value {
  const rank = (c.dims(i) as readonly Size[]).length;
  const value = operand(c, i);
  if (!turnsOf(c.attributes)[i]?.swapped || rank < 2) return value;
  const axes = Array.from({ length: rank }, (_, axis) => axis);
  return emitOne(c, 'Transpose', [value], permutation([...axes.slice(0, -2), rank - 1, rank - 2]));
}

function decomposed(c: Decomposition<FusedAttributes>): Value[] | undefined {
  if (!c.dims(0) || !c.dims(1)) return undefined;
  const { alpha, transA, transB } = c.attributes;
  if (c.element(0) === 'float32')
    return c.emit('sardonyx:MatMul', [operand(c, 0), operand(c, 1)], {
      alpha: floatAttribute(alpha),
      transA: intAttribute(transA),
      transB: intAttribute(transB),
    });
  const matrices = () => emitOne(c, 'MatMul', [transposed(c, 0), transposed(c, 1)]);
  return throughFloat32(c) ?? [arithmeticOn(c, c.element(0))('Mul', matrices(), alpha)];
}

const rules = {
  signature: 'A: T, B: T -> Y: T',
  types: { T: FLOATS },
  infer(c: Inference<FusedAttributes>) {
    const [a, b] = turnsOf(c.attributes);
    return [like(c, 0, productDims(c, matricesOf(c, 0), matricesOf(c, 1), a?.swapped, b?.swapped))];
  },
  decompose: decomposed,
};

/** https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.FusedMatMul */
export const fusedMatMul = defineOp({
  domain: 'com.microsoft',
  name: 'FusedMatMul',
  attributes: { ...product, transBatchA: int(0), transBatchB: int(0) },
  ...rules,
});

/**
 * https://github.com/microsoft/onnxruntime/blob/main/docs/ContribOperators.md#com.microsoft.TransposeMatMul: an earlier form of
 * FusedMatMul.
 */
export const transposeMatMul = defineOp({
  domain: 'com.microsoft',
  name: 'TransposeMatMul',
  attributes: product,
  ...rules,
});
