import { broadcast } from '../../graph/dims.js';
import type { Value } from '../../graph/graph.js';
import { type Dim, tensorType } from '../../graph/types.js';
import type { ElementType } from '../../tensor/element-types.js';
import { int64List } from '../constants.js';
import { defineOp, type Inference } from '../definition.js';
import { FLOAT8, FLOATS } from '../element-sets.js';
import { centered, EXACT_PRODUCTS, sliceOf, sumExactly } from './integer-products.js';

const BYTES: readonly ElementType[] = ['int8', 'uint8'];
const QUANTIZED = [...BYTES, ...FLOAT8];

function productDims(c: Inference<unknown>, i: number, j: number): readonly Dim[] | undefined {
  const [a, b] = [c.dims(i), c.dims(j)];
  if (!a || !b) return undefined;
  if (a.length === 0 || b.length === 0) c.fail('INVALID_SHAPE', `multiplies no scalars: [${a}] by [${b}]`);
  const [k, depth] = [a.at(-1), b.at(b.length > 1 ? -2 : -1)];
  if (typeof k === 'number' && typeof depth === 'number' && k !== depth) {
    c.fail('INVALID_SHAPE', `[${a}] by [${b}]: inner dims ${k} and ${depth} differ`);
  }
  const batch = broadcast(a.slice(0, -2), b.slice(0, -2));
  if (typeof batch === 'string') c.fail('INVALID_SHAPE', batch);
  return [...batch, ...a.slice(0, -1).slice(-1), ...(b.length > 1 ? b.slice(-1) : [])];
}

/** Exact through float32 products of at most 258 terms: https://onnx.ai/onnx/operators/onnx__MatMulInteger.html */
export const matMulInteger = defineOp({
  name: 'MatMulInteger',
  since: 10,
  signature: 'A: T1, B: T2, a_zero_point?: T1, b_zero_point?: T2 -> Y: int32',
  types: { T1: BYTES, T2: BYTES },
  infer: (c) => [tensorType('int32', productDims(c, 0, 1))],
  decompose(c) {
    const [a, b] = [c.dims(0), c.dims(1)];
    const k = a?.at(-1);
    if (!b || typeof k !== 'number') return undefined;
    const rows = centered(c, 0, 2, [-1, 1]);
    const columns = centered(c, 1, 3, [-1]);
    const multiply = (x: Value, y: Value) => c.emit('MatMul', [x, y])[0] as Value;
    const axis = b.length > 1 ? -2 : -1;
    return [
      sumExactly(c, k, EXACT_PRODUCTS, (from, to) =>
        k <= EXACT_PRODUCTS
          ? multiply(rows, columns)
          : multiply(sliceOf(c, rows, -1, from, to), sliceOf(c, columns, axis, from, to)),
      ),
    ];
  },
});

/** https://onnx.ai/onnx/operators/onnx__QLinearMatMul.html */
export const qLinearMatMul = defineOp({
  name: 'QLinearMatMul',
  since: 10,
  signature:
    'a: T1, a_scale: TS, a_zero_point: T1, b: T2, b_scale: TS, b_zero_point: T2, y_scale: TS, y_zero_point: T3 -> y: T3',
  types: { TS: FLOATS, T1: QUANTIZED, T2: QUANTIZED, T3: QUANTIZED },
  infer: (c) => [tensorType(c.element(7), productDims(c, 0, 3))],
  decompose(c) {
    const [aScale, yScale] = [c.dims(1), c.dims(6)];
    if (!aScale || !yScale) return undefined;
    const emit = (operator: string, ...inputs: Value[]) => c.emit(operator, inputs)[0] as Value;
    const float = (value: Value) => c.emit('Cast', [value], { to: { type: 'int', value: 1 } })[0] as Value;
    const perRow = (value: Value, dims: readonly Dim[]) =>
      dims.length === 1 && dims[0] !== 1 ? emit('Reshape', value, c.constant(int64List([-1, 1]))) : value;
    if (![0, 3].every((i) => BYTES.includes(c.element(i)))) {
      const number = (i: number) => perRow(float(c.input(i)), i < 3 ? aScale : []);
      const scaled = (i: number) => emit('Mul', emit('Sub', float(c.input(i)), number(i + 2)), number(i + 1));
      return [emit('QuantizeLinear', emit('MatMul', scaled(0), scaled(3)), float(c.input(6)), c.input(7))];
    }
    const sums = emit('MatMulInteger', c.input(0), c.input(3), c.input(2), c.input(5));
    const scale = emit('Mul', perRow(float(c.input(1)), aScale), float(c.input(4)));
    const product = emit('Mul', float(sums), scale);
    return [emit('QuantizeLinear', product, float(c.input(6)), c.input(7))];
  },
});
