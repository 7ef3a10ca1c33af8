import type { Attribute, Value } from '../../../graph/graph.js';
import type { Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { float, int } from '../../../schema/attributes.js';
import { type Decomposition, defineOp, type Inference } from '../../../schema/definition.js';
import { NUMBERS } from '../../../schema/element-sets.js';
import { dimsOfRank, requireSpreading, surelySpreads } from '../../../schema/shapes.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { throughFloat32 } from '../../through-float32.js';

interface GemmAttributes {
  readonly alpha: number;
  readonly beta: number;
  readonly transA: number;
  readonly transB: number;
}

function outDims(c: Inference<GemmAttributes>) {
  const [a, b] = [dimsOfRank(c, 0, 2), dimsOfRank(c, 1, 2)];
  if (!a || !b) return undefined;
  const [m, ka] = c.attributes.transA ? [a[1], a[0]] : a;
  const [kb, n] = c.attributes.transB ? [b[1], b[0]] : b;
  if (ka !== kb && typeof ka === 'number' && typeof kb === 'number') {
    c.fail('INVALID_SHAPE', `[${a}] by [${b}]: inner dims ${ka} and ${kb} differ`);
  }
  return [m, n] as const;
}

/** Adds C as a bias of each row, as a residual, or by a separate Add. */
function addendOf(c: Decomposition<GemmAttributes>): { bias?: Value; residual?: Value; rest?: Value } {
  if (!c.given(2) || c.attributes.beta === 0) return {};
  const dims = c.dims(2);
  const out = outDims(c);
  const addend = scaled(c, c.input(2), c.attributes.beta);
  if (!dims || !out) return { rest: addend };
  const [m, n] = out;
  if (dims.length === 1 && dims[0] === n) return { bias: addend };
  if (dims.length === 2 && dims[0] === m && dims[1] === n) return { residual: addend };
  return { rest: addend };
}

function scaled(c: Decomposition<GemmAttributes>, value: Value, factor: number): Value {
  if (factor === 1) return value;
  const constant = c.constant({ type: 'float32', dims: [], data: Float32Array.of(factor) });
  return c.emit('Mul', [value, constant])[0] as Value;
}

/** The formula with plain operators, for types without a matrix product kernel. */
function plainProduct(c: Decomposition<GemmAttributes>): Value[] {
  const { alpha, beta, transA, transB } = c.attributes;
  const operand = (i: number, transposed: number) =>
    transposed ? (c.emit('Transpose', [c.input(i)])[0] as Value) : c.input(i);
  const times = (value: Value, factor: number) =>
    factor === 1 ? value : (c.emit('Mul', [value, c.constant(tensorOf(c.element(0), [], [factor]))])[0] as Value);
  const product = times(c.emit('MatMul', [operand(0, transA), operand(1, transB)])[0] as Value, alpha);
  return c.given(2) && beta !== 0 ? c.emit('Add', [product, times(c.input(2), beta)]) : [product];
}

/** https://onnx.ai/onnx/operators/onnx__Gemm.html */
export const gemm = defineOp({
  name: 'Gemm',
  signature: 'A: T, B: T, C?: T -> Y: T',
  types: { T: NUMBERS },
  attributes: { alpha: float(1), beta: float(1), transA: int(0), transB: int(0), broadcast: int(0) },
  infer(c) {
    const dims = outDims(c) as readonly Size[] | undefined;
    requireSpreading(c, 2, dims);
    return [tensorType(c.element(0), dims)];
  },
  decompose(c) {
    if (c.element(0) !== 'float32') return throughFloat32(c) ?? plainProduct(c);
    if (c.given(2) && !c.dims(2)) return undefined;
    const dims = outDims(c) as readonly Size[] | undefined;
    if (c.given(2) && dims && !surelySpreads(c.dims(2) ?? [], dims)) return undefined;
    const { alpha, transA, transB } = c.attributes;
    const attributes: Record<string, Attribute> = {
      alpha: { type: 'float', value: alpha },
      transA: { type: 'int', value: transA },
      transB: { type: 'int', value: transB },
    };
    const { bias = null, residual = null, rest } = addendOf(c);
    const product = c.emit('sardonyx:MatMul', [c.input(0), c.input(1), bias, residual], attributes);
    return rest ? c.emit('Add', [product[0] as Value, rest]) : product;
  },
});
