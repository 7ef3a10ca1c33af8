import { Emitter, rename } from '../../analysis/decompose.js';
import { intAttribute, intOf, stringAttribute, stringOf } from '../../graph/attributes.js';
import type { Attributes, Graph, Node, Value } from '../../graph/graph.js';
import { allNodes } from '../../graph/walk.js';
import type { ElementType } from '../../tensor/element-types.js';
import { integers, type TensorValue } from '../../tensor/tensor-value.js';
import {
  CODE,
  castTo,
  constantOf,
  elementOf,
  type Producers,
  SCALE,
  saidInBits,
  weightBehind,
  ZERO_POINT,
} from './constants.js';
import type { Reading, Surroundings } from './read-in-place.js';

/** An n-bit matrix as a node reads it: codes, scales, zero points, and the attributes that describe them. */
interface Matrix {
  readonly operands: readonly (Value | null)[];
  readonly attributes: Attributes;
}

/** Matrices of products, by their codes. */
type Heads = ReadonlyMap<TensorValue, Matrix>;

const SIZES = ['K', 'N', 'bits', 'block_size'];
const G_IDX = 4;

/** The matrix of `sardonyx:MatMulNBits`, or of a node that will become one: not with `g_idx`, which assigns rows to blocks. */
function matrixOf({ domain, op, inputs, attributes }: Node): Matrix | undefined {
  const isOwn = domain === 'sardonyx';
  if (op !== 'MatMulNBits' || (!isOwn && (domain !== 'com.microsoft' || inputs[G_IDX]))) return undefined;
  const sizes = Object.fromEntries(SIZES.map((name) => [name, attributes[name] ?? intAttribute(4)]));
  const layout = stringAttribute(stringOf(attributes, 'layout', 'blocks'));
  const operands = [1, 2, 3].map((i) => inputs[i] ?? null);
  return { operands, attributes: { ...sizes, layout } };
}

function headsOf(graph: Graph): Heads {
  const nodes = [...allNodes(graph)];
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((value) => [value as Value, node] as const)));
  return new Map(
    nodes.flatMap((node) => {
      const matrix = matrixOf(node);
      const codes = matrix && constantOf(producers, matrix.operands[CODE]);
      return codes ? [[codes, matrix] as const] : [];
    }),
  );
}

/** The constant with the same elements as a value, in any shape. */
function elementsBehind(producers: Producers, value: Value | null | undefined): TensorValue | undefined {
  const node = value && producers.get(value);
  return node?.op === 'Reshape' && node.domain === ''
    ? elementsBehind(producers, node.inputs[0])
    : constantOf(producers, value);
}

/** Whether two operands are the same constant or both absent. */
function isOne(producers: Producers, a: Value | null | undefined, b: Value | null | undefined): boolean {
  if (!a || !b) return !a && !b;
  const constant = elementsBehind(producers, a);
  return constant !== undefined && constant === elementsBehind(producers, b);
}

/** Whether two nodes have the same codes, scales and zero points. */
const isSame = (producers: Producers, a: readonly (Value | null)[], b: readonly (Value | null)[]): boolean =>
  [CODE, SCALE, ZERO_POINT].every((i) => isOne(producers, a[i], b[i]));

/** Rows of a matrix, dequantized to the original type. */
function rowsOf(root: Node, indices: Value | null, { operands, attributes }: Matrix, element: ElementType): Node[] {
  const made = new Emitter(root.name);
  const [rows] = made.emit('sardonyx:GatherNBits', [indices, ...operands], attributes) as [Value];
  return rename(made.nodes, [castTo(made, rows, element, 'float32')], root.outputs);
}

const shared = ({ operands, attributes }: Matrix): Matrix => ({
  operands,
  attributes: { ...attributes, shared: intAttribute(1) },
});

const isSaidAlike = (a: Attributes, b: Attributes): boolean =>
  [...SIZES, 'layout'].every((name) => a[name]?.value === b[name]?.value);

/** Gather from the result of DequantizeLinear. */
function fromDequantized(root: Node, { producers, graph }: Surroundings, heads: Heads): Node[] | string | undefined {
  const weight = weightBehind(producers, root.inputs[0], true);
  if (!weight) return undefined;
  const { inputs } = weight.node;
  const attributes = saidInBits(producers, weight);
  if (typeof attributes === 'string') return attributes;
  if (intOf(root.attributes, 'axis', 0) !== 0) return 'it takes columns';
  // Rows that are quantized again move as integers instead.
  if (graph.nodes.some(({ op, inputs: [x] }) => op === 'QuantizeLinear' && x === root.outputs[0]))
    return 'its rows are quantized again';
  const matrix = { operands: [CODE, SCALE, ZERO_POINT].map((i) => inputs[i] ?? null), attributes };
  const head = heads.get(constantOf(producers, inputs[CODE]) as TensorValue);
  const isShared =
    head && isSaidAlike(head.attributes, attributes) && isSame(producers, head.operands, matrix.operands);
  const element = elementOf(producers, weight.node);
  return rowsOf(root, root.inputs[1] ?? null, isShared ? shared(head) : matrix, element);
}

/** Whether `value` is reshaped to the rows of a matrix, each with all its codes, according to the shape input of a Reshape. */
function isRows(producers: Producers, value: Value | null | undefined, rows: number, bytes: number): boolean {
  const shape = value && constantOf(producers, producers.get(value)?.inputs[1]);
  const sizes = shape ? integers(shape) : [];
  return sizes.length === 2 && (sizes[0] === rows || sizes[0] === 0 || sizes[1] === bytes);
}

/** GatherBlockQuantized from the matrix of a product. */
function fromBlocks(root: Node, { producers }: Surroundings, heads: Heads): Node[] | string | undefined {
  const [data, indices = null, scales = null, zeros = null] = root.inputs;
  const head = heads.get(elementsBehind(producers, data) as TensorValue);
  if (!head) return undefined;
  const [K, N, bits, block] = SIZES.map((name) => head.attributes[name]?.value as number) as [
    number,
    number,
    number,
    number,
  ];
  const { attributes } = root;
  const element = constantOf(producers, head.operands[SCALE])?.type;
  const isTable =
    intOf(attributes, 'gather_axis', 0) === 0 &&
    [1, -1].includes(intOf(attributes, 'quantize_axis', 1)) &&
    isRows(producers, data, N, (K * bits) / 8);
  if (head.attributes.layout?.value !== 'blocks' || !isTable) return 'it is no table of rows that a product takes';
  if (intOf(attributes, 'bits', 4) !== bits || intOf(attributes, 'block_size', 128) !== block || K % block !== 0)
    return 'its blocks are not those of the product';
  if (!isSame(producers, head.operands, [data ?? null, scales, zeros]))
    return 'its scales are not those of the product';
  if (element !== 'float32' && element !== 'float16') return `its scales are ${element}`;
  return rowsOf(root, indices, shared(head), element);
}

const FROM: Readonly<Record<string, typeof fromBlocks>> = {
  Gather: fromDequantized,
  'com.microsoft:GatherBlockQuantized': fromBlocks,
};

const howOf = ({ domain, op }: Node) => FROM[domain ? `${domain}:${op}` : op];

/** Tables that DequantizeLinear computes from constants, or that products of `graph` also use. */
export function tablesBeside(graph: Graph): Reading {
  const heads = headsOf(graph);
  return {
    rule: 'rows of quantized tables',
    weightOf: (node) => (howOf(node) ? 0 : undefined),
    propose: (node, around) => howOf(node)?.(node, around, heads),
  };
}
