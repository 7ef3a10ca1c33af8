import type { NodeProto } from '../../../../build/onnx.js';
import { withFields } from '../../../model/document/changed.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import type { Constant, Scope } from '../graphs.js';
import { int64Tensor } from '../int64-tensor.js';
import { floatAt, intAt, nodeOf } from '../nodes.js';
import { add } from '../sheet.js';
import { dimsOf } from '../tensor-data.js';
import { type Desk, type Layout, type Quantized, quantizedValue, quantizedWeight, weightIn } from './desk.js';
import type { ByteType } from './options.js';
import type { Rule } from './rule.js';

/** The layout of a product's weight. `column`: the axis that has a scale per slice with `perChannel`. */
export function weightLayout({ options }: Desk, type: ByteType, column?: number): Layout {
  const { weightType = type, perChannel = false, reduceRange = false } = options;
  const axis = perChannel ? column : undefined;
  return { type: weightType, symmetric: weightType === 'int8', reduced: reduceRange, axis };
}

/** Emits an integer product, followed by the conversion of its result to floats under the name `output`. */
function integers(desk: Desk, operator: NodeProto, x: Quantized, w: Quantized, output: string): NodeProto[] {
  const { fresh } = desk.sheet;
  const [sums, floats, scale] = [fresh(`${output}_sums`), fresh(`${output}_floats`), fresh(`${output}_scale`)];
  return [
    withFields(operator, { input: [x.codes, w.codes, x.zero, w.zero], output: [sums] }),
    nodeOf('Cast', [sums], [floats], { name: fresh(`${output}_cast`), to: ELEMENTS.float32.onnx }),
    nodeOf('Mul', [x.scale, w.scale], [scale], { name: fresh(`${output}_scales`) }),
    nodeOf('Mul', [floats, scale], [output], { name: fresh(`${output}_scaled`) }),
  ];
}

/** Emits a matrix product and the addition of a bias. */
async function matrixProduct(
  desk: Desk,
  scope: Scope,
  node: NodeProto,
  weight: Constant,
  { transposed = false, addend = '' } = {},
): Promise<NodeProto[]> {
  const [output = ''] = node.output;
  const nodes: NodeProto[] = [];
  const x = quantizedValue(desk, scope, node.input[0] as string, nodes);
  const rank = weight.tensor.dims.length;
  // onnxruntime supports per-column scales only for matrices.
  const column = rank === 2 ? (transposed ? 0 : 1) : undefined;
  const layout = weightLayout(desk, 'int8', column);
  const w = await quantizedWeight(desk, weight, { ...layout, transposed });
  const operator = nodeOf('MatMulInteger', [], [], { name: node.name });
  const product = addend ? desk.sheet.fresh(`${output}_product`) : output;
  nodes.push(...integers(desk, operator, x, w, product));
  if (addend) nodes.push(nodeOf('Add', [product, addend], [output], { name: desk.sheet.fresh(`${output}_sum`) }));
  return nodes;
}

export const matMul: Rule = {
  weight: ({ input }, scope) => weightIn(scope, input[1]),
  quantize: matrixProduct,
};

/** Quantizes Gemm if it is a product and a sum without factors. */
export const gemm: Rule = {
  weight(node, scope) {
    const isPlain = floatAt(node, 'alpha', 1) === 1 && intAt(node, 'transA', 0) === 0;
    return isPlain && (!node.input[2] || floatAt(node, 'beta', 1) === 1) ? weightIn(scope, node.input[1]) : undefined;
  },
  quantize: (desk, scope, node, weight) =>
    matrixProduct(desk, scope, node, weight, {
      transposed: intAt(node, 'transB', 0) === 1,
      addend: node.input[2] ?? '',
    }),
};

export const conv: Rule = {
  weight: ({ input }, scope) => weightIn(scope, input[1]),
  async quantize(desk, scope, node, weight) {
    const { fresh, constants } = desk.sheet;
    const [output = ''] = node.output;
    const [name = '', , bias] = node.input;
    const nodes: NodeProto[] = [];
    const x = quantizedValue(desk, scope, name, nodes);
    const w = await quantizedWeight(desk, weight, weightLayout(desk, 'uint8'));
    const operator = withFields(node, { opType: 'ConvInteger' });
    if (!bias) return [...nodes, ...integers(desk, operator, x, w, output)];
    const [sums, shape, shaped] = [fresh(`${output}_unbiased`), fresh(`${output}_bias_shape`), fresh(`${output}_bias`)];
    add(
      constants,
      scope.graph,
      int64Tensor(
        shape,
        dimsOf(weight.tensor).map((_, axis) => (axis === 1 ? -1 : 1)),
      ),
    );
    nodes.push(...integers(desk, operator, x, w, sums));
    nodes.push(nodeOf('Reshape', [bias, shape], [shaped], { name: fresh(`${output}_bias_reshape`) }));
    return [...nodes, nodeOf('Add', [sums, shaped], [output], { name: fresh(`${output}_bias_add`) })];
  },
};
