import type { GraphProto, ModelProto, NodeProto, TensorProto } from '../../../../build/onnx.js';
import { type Constant, constantIn, nodesIn, type Scope } from '../graphs.js';
import { isWanted } from '../names.js';
import { floatAt, intAt, intsAt, isOnnx } from '../nodes.js';
import { dimsOf, floatTypeOf } from '../tensor-data.js';
import type { Bits, Settings } from './options.js';

/** A node that reads a weight of rank 2. */
export interface Site {
  readonly node: NodeProto;
  /** The node itself, or a Transpose before it. */
  readonly reader: NodeProto;
  readonly graph: GraphProto;
  readonly weight: TensorProto;
  readonly owner: GraphProto;
  /** A node multiplies by a matrix, or looks up rows of a table. */
  readonly role: 'product' | 'table';
  /** Whether the weight is stored as [n, k], with a row for each output column. */
  readonly byRows: boolean;
  /** The constant bias of the product. */
  readonly bias?: Constant | undefined;
  readonly bits: Bits;
}

type Found = Pick<Site, 'role' | 'byRows' | 'bias'> & {
  readonly reader?: NodeProto | undefined;
  readonly constant: Constant | undefined;
};

const isTransposition = (node: NodeProto | undefined): boolean => {
  const perm = node?.opType === 'Transpose' && isOnnx(node) ? intsAt(node, 'perm') : [0];
  return perm === undefined || perm.join() === '1,0';
};

/** Finds the weight that a node reads, by operator. */
const WEIGHTS: Readonly<Record<string, (node: NodeProto, scope: Scope) => Found | undefined>> = {
  MatMul({ input: [, b] }, scope) {
    const producer = scope.producers.get(b ?? '');
    if (!isTransposition(producer)) return { role: 'product', byRows: false, constant: constantIn(scope, b) };
    const constant = constantIn(scope, producer?.input[0]);
    return { role: 'product', byRows: true, reader: producer, constant };
  },
  Gemm(node, scope) {
    const [, b, c] = node.input;
    const isPlain = floatAt(node, 'alpha', 1) === 1 && intAt(node, 'transA', 0) === 0;
    if (!isPlain || (c && floatAt(node, 'beta', 1) !== 1)) return undefined;
    const bias = constantIn(scope, c);
    if (c && bias?.tensor.dims.length !== 1) return undefined;
    return { role: 'product', byRows: intAt(node, 'transB', 0) === 1, constant: constantIn(scope, b), bias };
  },
  Gather(node, scope) {
    if (intAt(node, 'axis', 0) !== 0) return undefined;
    return { role: 'table', byRows: true, constant: constantIn(scope, node.input[0]) };
  },
};

/** Names of the output layer, which is also recognized if it has a column for each row of a table. */
const HEAD = /(^|[/.])(lm_head|embed_out)([/.]|$)/;

/** All nodes whose weights are quantized. */
export function sitesOf(proto: ModelProto, settings: Settings): Site[] {
  const found = [...nodesIn(proto)].flatMap(([node, scope]) => siteAt(node, scope, settings) ?? []);
  const vocabularies = new Set(found.filter(({ role }) => role === 'table').map(({ weight }) => dimsOf(weight)[0]));
  return found
    .map((site) => ({ ...site, bits: bitsOf(site, vocabularies, settings) }))
    .filter((site) => isWanted(site.node, site.weight.name, settings) && canBePacked(site, settings));
}

/** Whether rows of a table fill whole bytes, as onnxruntime's operators require. */
const canBePacked = ({ role, weight, bits }: Site, { format }: Settings): boolean =>
  role === 'product' || format === 'DequantizeLinear' || ((dimsOf(weight)[1] as number) * bits) % 8 === 0;

function siteAt(node: NodeProto, scope: Scope, { bits }: Settings): Site | undefined {
  if (!isOnnx(node) || !Object.hasOwn(WEIGHTS, node.opType)) return undefined;
  const { constant, reader = node, ...found } = WEIGHTS[node.opType]?.(node, scope) ?? {};
  if (constant?.tensor.dims.length !== 2 || !floatTypeOf(constant.tensor)) return undefined;
  const { tensor: weight, owner } = constant;
  if (dimsOf(weight).includes(0)) return undefined;
  return { node, reader, graph: scope.graph, weight, owner, bits, ...(found as Pick<Site, 'role' | 'byRows'>) };
}

function bitsOf({ node, weight, role, byRows }: Site, vocabularies: ReadonlySet<unknown>, settings: Settings): Bits {
  if (role === 'table') return settings.embeddingBits;
  const isHead = vocabularies.has(dimsOf(weight)[byRows ? 0 : 1]) || [node.name, weight.name].some((n) => HEAD.test(n));
  return isHead ? settings.headBits : settings.bits;
}
