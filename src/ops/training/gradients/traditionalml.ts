import { floatAttribute, intAttribute } from '../../../graph/attributes.js';
import type { Value } from '../../../graph/graph.js';
import type { Decomposition } from '../../../schema/definition.js';
import { arithmeticOn, castTo, emitOne, listOf, reshapeTo } from '../../emit.js';
import { floatTensor } from '../../ml/constants.js';
import type { Spellings } from './backward.js';

interface SupportVectors {
  readonly coefficients: readonly number[];
  readonly kernel_params: readonly number[] | undefined;
  readonly kernel_type: string;
  readonly rho: readonly number[];
  readonly support_vectors: readonly number[] | undefined;
  readonly n_supports: number;
  readonly one_class: number;
}

type Context = Decomposition<SupportVectors>;

/** SVM kernel of each row of x with each vector. */
function kernel(c: Context, x: Value, vectors: Value): Value {
  const { kernel_type, kernel_params: [gamma = 0, coef0 = 0, degree = 0] = [] } = c.attributes;
  const f = arithmeticOn(c, 'float32');
  const squares = (value: Value) =>
    emitOne(c, 'ReduceSumSquare', [value, listOf(c, [1])], { keepdims: intAttribute(1) });
  const products = emitOne(c, 'Gemm', [x, vectors], { transB: intAttribute(1), alpha: floatAttribute(1) });
  const scaled = () => f('Add', f('Mul', products, gamma), coef0);
  if (kernel_type === 'POLY') return f('Pow', scaled(), degree);
  if (kernel_type === 'SIGMOID') return f('Tanh', scaled());
  if (kernel_type === 'LINEAR') return products;
  const lengths = f('Add', squares(x), reshapeTo(c, squares(vectors), [1, -1]));
  return f('Exp', f('Mul', f('Sub', lengths, f('Mul', products, 2)), -gamma));
}

function svmRegressor(c: Context): Value[] {
  const { coefficients, rho, support_vectors = [], n_supports, one_class } = c.attributes;
  const x = reshapeTo(c, castTo(c, c.input(0), 'float32'), [c.dims(0)?.length === 1 ? 1 : 0, -1]);
  const f = arithmeticOn(c, 'float32');
  const matrix = (list: readonly number[], rows: number) => c.constant(floatTensor(list, [rows, list.length / rows]));
  const values = n_supports > 0 ? kernel(c, x, matrix(support_vectors, n_supports)) : x;
  const scores = f('Add', emitOne(c, 'MatMul', [values, matrix(coefficients, coefficients.length)]), rho[0] as number);
  return one_class ? [f('Where', f('Greater', scores, 0), 1, -1)] : [scores];
}

export const traditionalml: Spellings = { 'ai.onnx.ml:SVMRegressor': svmRegressor };
