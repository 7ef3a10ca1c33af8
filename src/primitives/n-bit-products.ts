import { ints } from '../schema/attributes.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { NBIT_TYPES } from './n-bit-blocks.js';
import {
  A,
  BIAS,
  inferProduct,
  type NBitProductParameters,
  nBitMatMul,
  PRODUCT_ATTRIBUTES,
  type ProductAttributes,
  parametersOf,
} from './n-bit-matmul.js';

/** Methods of a context that take the position of an input, and of an output. */
const OF_INPUTS = new Set(
  'given type element dims hasContents contents sizes value tensor shape input pitch packed kept guard'.split(' '),
);
const OF_OUTPUTS = new Set('wanted result outputShape outputElement output outputPitch alias'.split(' '));

type Method = (i: number, ...rest: unknown[]) => unknown;

/** View of a node of several products as the product by matrix `j`, with attributes of its own. */
export function productAt<C extends Inference<unknown>>(c: C, j: number, attributes: unknown = c.attributes) {
  const matrix = (i: number) => (i === A ? A : i + j * BIAS);
  const output = (i: number) => i + j;
  const by =
    (number: typeof matrix, method: Method) =>
    (i: number, ...rest: unknown[]) =>
      method.call(c, number(i), ...rest);
  return new Proxy(c, {
    get(_, name: string) {
      const found: unknown = name === 'attributes' ? attributes : c[name as keyof C];
      if (typeof found !== 'function') return found;
      if (OF_INPUTS.has(name)) return by(matrix, found as Method);
      return OF_OUTPUTS.has(name) ? by(output, found as Method) : found.bind(c);
    },
  });
}

/** The products of the same rows by matrices of equal depth and blocks: nBitMatMul by each. */
export const nBitProducts: Primitive<readonly NBitProductParameters[]> = {
  name: 'n-bit-products',
  facts: {
    multiplyAdds: (c, products) =>
      products.reduce((sum, p, j) => sum + (nBitMatMul.facts.multiplyAdds?.(productAt(c, j), p) ?? 0), 0),
  },
  reference: (c, products) => products.flatMap((p, j) => nBitMatMul.reference(productAt(c, j), p)),
};

interface Attributes extends Omit<ProductAttributes, 'N'> {
  readonly N: readonly number[];
}

/** The products of a node, each as a MatMulNBits of its own. */
function productsIn(c: Inference<Attributes>): Inference<ProductAttributes>[] {
  const { N: columns } = c.attributes;
  if (c.inputCount > 1 + BIAS * columns.length || c.outputCount !== columns.length)
    c.fail('INVALID_GRAPH', `${columns.length} matrices have ${BIAS} inputs and one output each`);
  return columns.map(
    (N, j) => productAt<Inference<unknown>>(c, j, { ...c.attributes, N }) as Inference<ProductAttributes>,
  );
}

/** MatMulNBits of the same rows by several matrices, each with its scales, zero points and bias. The rows are rounded once. */
export const nBitProductsOperator = defineOp({
  domain: 'sardonyx',
  name: 'MatMulsNBits',
  signature: 'A: T, matrices*: M -> Y...: T',
  types: { T: ['float32'], M: [...new Set([...NBIT_TYPES.Q, ...NBIT_TYPES.Z])] },
  halves: 'carried',
  attributes: { ...PRODUCT_ATTRIBUTES, N: ints.required },
  guarded: true,
  infer: (c) => productsIn(c).map(inferProduct),
  computes: by(nBitProducts, (c: Inference<Attributes>) => {
    const products = productsIn(c).map(parametersOf);
    return products.every((p) => p !== undefined) ? products : undefined;
  }),
});
