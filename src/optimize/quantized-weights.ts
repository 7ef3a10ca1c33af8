import { Emitter, rename } from '../analysis/decompose.js';
import { floatOf, intAttribute, intOf, intsOf, stringAttribute } from '../graph/attributes.js';
import { forgetCaptures, operandsOf, subgraphsOf } from '../graph/captures.js';
import { normalAxis } from '../graph/dims.js';
import type { Attributes, Graph, Node, Value } from '../graph/graph.js';
import { joined, mark } from '../graph/origins.js';
import { ELEMENTS, type ElementType, elementTypeOf } from '../tensor/element-types.js';
import { elementCount, type TensorValue } from '../tensor/tensor-value.js';
import type { RewriteLog } from './rewrite-log.js';

/** Weights below so many are as fast in floats. */
const LEAST_WEIGHTS = 1 << 12;

const CODES: readonly ElementType[] = ['int8', 'uint8', 'int4', 'uint4', 'int2', 'uint2'];
const FLOATS: readonly ElementType[] = ['float32', 'float16'];

const RULE = 'product with quantised weights';
const [CODE, SCALE, ZERO_POINT] = [0, 1, 2];

type Producers = ReadonlyMap<Value, Node>;

/** What DequantizeLinear makes a matrix of; `isTransposed` where the product takes its transpose. */
interface Weight {
  readonly node: Node;
  readonly isTransposed: boolean;
}

/** What no feed can change: a constant, or what a Constant node says. */
function constantOf(producers: Producers, value: Value | null | undefined): TensorValue | undefined {
  if (!value || value.isDefault) return undefined;
  const node = producers.get(value);
  const said = node?.op === 'Constant' && node.domain === '' ? node.attributes.value : undefined;
  return said?.type === 'tensor' ? said.value : value.constant;
}

/** What a DequantizeLinear gives. */
const elementOf = (producers: Producers, { inputs, attributes }: Node): ElementType =>
  elementTypeOf(intOf(attributes, 'output_dtype', 0)) ?? constantOf(producers, inputs[SCALE])?.type ?? 'float32';

const isSwap = (node: Node) => String(intsOf(node.attributes, 'perm') ?? [1, 0]) === '1,0';

/** The weight behind `value`, through transpositions. */
function weightOf(producers: Producers, value: Value | null | undefined, isTransposed: boolean): Weight | undefined {
  const node = value && producers.get(value);
  if (node?.domain !== '') return undefined;
  if (node.op === 'Transpose' && isSwap(node)) return weightOf(producers, node.inputs[0], !isTransposed);
  return node.op === 'DequantizeLinear' ? { node, isTransposed } : undefined;
}

/** How `sardonyx:MatMulNBits` says the weight; a reason where it cannot. */
function saidInBits(producers: Producers, { node, isTransposed }: Weight): Attributes | string {
  const contents = [CODE, SCALE, ZERO_POINT].map((i) => constantOf(producers, node.inputs[i]));
  const [codes, scale] = contents;
  if (!codes || !scale || (node.inputs[ZERO_POINT] && !contents[ZERO_POINT])) return 'its weights are no constants';
  if (codes.dims.length !== 2 || !CODES.includes(codes.type))
    return `${codes.type}[${codes.dims}] is no matrix of codes`;
  if (!FLOATS.includes(elementOf(producers, node)) || !FLOATS.includes(scale.type))
    return `its scales are ${scale.type}`;
  const [k, n] = (isTransposed ? codes.dims.toReversed() : codes.dims) as [number, number];
  if (k * n < LEAST_WEIGHTS) return 'it is small';
  const rows = isTransposed ? 1 : 0;
  const block = intOf(node.attributes, 'block_size', 0);
  const isOne = block === 0 && elementCount(scale.dims) === 1;
  const axis = normalAxis(intOf(node.attributes, 'axis', 1), 2);
  if (!isOne && axis !== (block ? rows : 1 - rows)) return `its scales lie along axis ${axis}`;
  if (block % 16 !== 0) return `its blocks are of ${block}`;
  return {
    K: intAttribute(k),
    N: intAttribute(n),
    bits: intAttribute(ELEMENTS[codes.type].bits),
    block_size: intAttribute(block),
    layout: stringAttribute(isTransposed ? 'NK' : 'KN'),
  };
}

const castTo = (made: Emitter, value: Value, to: ElementType, from: ElementType): Value =>
  to === from ? value : (made.emit('Cast', [value], { to: intAttribute(ELEMENTS[to].onnx) })[0] as Value);

/** The weight that a product takes from the right. */
function rightOf(producers: Producers, { op, inputs, attributes }: Node): Weight | undefined {
  if (op === 'MatMul') return weightOf(producers, inputs[1], false);
  const isScaled = floatOf(attributes, 'alpha', 1) !== 1 || floatOf(attributes, 'beta', 1) !== 1;
  if (op !== 'Gemm' || isScaled || intOf(attributes, 'transA', 0) !== 0) return undefined;
  return weightOf(producers, inputs[1], intOf(attributes, 'transB', 0) !== 0);
}

/** The nodes of a product that takes its weights as they are stored; a reason why there are none. */
function rewritten(root: Node, weight: Weight, producers: Producers): Node[] | string {
  const [a, , bias = null] = root.inputs as [Value, Value, Value | null];
  // Activations that are quantised too make a product of integers.
  if (producers.get(a)?.op === 'DequantizeLinear') return 'its activations are quantised too';
  const attributes = saidInBits(producers, weight);
  if (typeof attributes === 'string') return attributes;
  const { inputs } = weight.node;
  const element = elementOf(producers, weight.node);
  const made = new Emitter(root.name);
  const isVector = String(constantOf(producers, bias)?.dims) === String(attributes.N?.value);
  const own = bias && isVector ? castTo(made, bias, 'float32', element) : null;
  const x = castTo(made, a, 'float32', element);
  const operands = [x, inputs[CODE] ?? null, inputs[SCALE] ?? null, inputs[ZERO_POINT] ?? null, own];
  const [product] = made.emit('sardonyx:MatMulNBits', operands, attributes) as [Value];
  const y = castTo(made, product, element, 'float32');
  return rename(made.nodes, bias && !own ? made.emit('Add', [y, bias]) : [y], root.outputs);
}

/**
 * Lets products whose weights DequantizeLinear makes of constants take these as they are, in subgraphs also of those made around them.
 * Comes before constants are folded.
 */
export function keepQuantizedWeights(graph: Graph, log: RewriteLog): void {
  dropUnread(graph, keptIn(graph, log, new Map()));
}

/** Rewrites a graph within others, whose nodes make what `around` says; the nodes that need not be read any more. */
function keptIn(graph: Graph, log: RewriteLog, around: Producers): Set<Node> {
  const own = graph.nodes.flatMap((node) => node.outputs.map((value) => [value as Value, node] as const));
  const producers = new Map([...around, ...own]);
  const quantized = new Set<Node>();
  graph.nodes = graph.nodes.flatMap((node) => {
    for (const inner of subgraphsOf(node)) for (const unread of keptIn(inner, log, producers)) quantized.add(unread);
    const weight = node.domain === '' && log.applied.length < log.limit ? rightOf(producers, node) : undefined;
    if (!weight) return [node];
    const made = rewritten(node, weight, producers);
    if (typeof made === 'string') {
      log.refused?.push({ rule: RULE, node: node.name, reason: made });
      return [node];
    }
    log.applied.push({ rule: RULE, node: node.name });
    const behind = chainBehind(producers, node.inputs[1]);
    for (const at of behind) quantized.add(at);
    mark(made, joined([node, ...behind]));
    return made;
  });
  return quantized;
}

/** What makes a value, and what makes the first operand of that, and so on. */
function chainBehind(producers: Producers, value: Value | null | undefined): Node[] {
  const node = value && producers.get(value);
  return node ? [node, ...chainBehind(producers, node.inputs[0])] : [];
}

/** Drops those of `nodes` that nobody reads any more: they would be folded. The last come first. */
function dropUnread(graph: Graph, nodes: ReadonlySet<Node>): void {
  const read = new Set<Value | null>(graph.outputs);
  const kept = graph.nodes.toReversed().filter((node) => {
    if (nodes.has(node) && !node.outputs.some((value) => read.has(value))) return false;
    for (const inner of subgraphsOf(node)) {
      dropUnread(inner, nodes);
      forgetCaptures(inner);
    }
    for (const value of operandsOf(node)) read.add(value);
    return true;
  });
  graph.nodes = kept.toReversed();
}
