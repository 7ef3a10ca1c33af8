import { sameDims } from '../../graph/dims.js';
import type { Node, Value } from '../../graph/graph.js';
import { emitByteArithmetic, emitByteTable } from '../../ops/emit-bytes.js';
import { expressionOf } from '../../primitives/elementwise.js';
import { elementCount } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';
import { boundedBy, boundsIn } from './integer-bounds.js';
import {
  contentsOf,
  dequantized,
  isNarrow,
  isPerTensor,
  type Quantized,
  quantizedBy,
  zeroOf,
} from './quantized-values.js';

const OPERATIONS: Readonly<Record<string, { readonly operation: string; readonly sign: number }>> = {
  Add: { operation: 'Sum', sign: 1 },
  Sub: { operation: 'Sum', sign: -1 },
  Mul: { operation: 'Product', sign: 1 },
};

const isOneStep = (x: Quantized | undefined): x is Quantized => x !== undefined && isNarrow(x) && isPerTensor(x);

/** Integer arithmetic: two DequantizeLinear → Add, Sub or Mul (→ Relu or Clip) → QuantizeLinear. */
export const requantizedArithmetic: Rule = {
  name: 'arithmetic of integers, requantized',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const y = quantizedBy(editor, root);
    const made = boundedBy(editor, root);
    const known = made?.node.domain === '' ? OPERATIONS[made.node.op] : undefined;
    if (!made || !known || !isOneStep(y)) return undefined;
    const [a, b] = made.node.inputs.map((value) => dequantized(editor, value));
    if (!isOneStep(a) || !isOneStep(b)) return undefined;
    if (!made.bounds) return { refused: 'its bounds are not known' };
    const parameters = {
      operation: known.operation,
      ...{ a_scale: a.scales[0] as number, a_zero: zeroOf(editor, a) },
      ...{ b_scale: known.sign * (b.scales[0] as number), b_zero: zeroOf(editor, b) },
      ...{ step: y.scales[0] as number, zero: zeroOf(editor, y) },
    };
    const bounds = boundsIn(editor, y, made.bounds);
    return {
      replaces: [emitByteArithmetic(build, a.value, b.value, y.element, parameters, bounds)],
      covers: [root, ...made.covers],
    };
  },
};

/** Longer functions are rare, and each is computed 256 times. */
const MAX_NODES = 16;

/** A function of one tensor: its nodes in order, and the DequantizeLinear at its start. */
interface Unary {
  readonly nodes: Node[];
  source: Node | undefined;
}

/** Whether `value` is a function of one dequantized tensor and of scalar constants; adds its nodes. */
function isUnary(editor: GraphEditor, value: Value | null, found: Unary): boolean {
  const contents = contentsOf(editor, value);
  if (!value || contents) return !contents || elementCount(contents.dims) === 1;
  const node = editor.producerOf(value);
  if (node?.domain !== '') return false;
  if (found.nodes.includes(node) || node === found.source) return true;
  if (node.op === 'DequantizeLinear') {
    const isFirst = found.source === undefined;
    found.source ??= node;
    return isFirst;
  }
  if (found.nodes.length === MAX_NODES || !expressionOf(editor.viewOf(node))) return false;
  if (!node.inputs.every((input) => isUnary(editor, input, found))) return false;
  found.nodes.push(node);
  return true;
}

/** Repeats the nodes, starting from `bytes`. */
function repeated(build: Builder, { nodes, source }: Unary, root: Node, bytes: Value): Value {
  const again = new Map<Value | null, Value>();
  const repeat = (node: Node, inputs: readonly (Value | null)[]) => {
    const [value] = build.repeat(node, inputs) as [Value];
    again.set(node.outputs[0] ?? null, value);
    return value;
  };
  const own = source as Node;
  repeat(own, [bytes, ...own.inputs.slice(1)]);
  for (const node of [...nodes, root])
    repeat(
      node,
      node.inputs.map((input) => again.get(input) ?? input),
    );
  return again.get(root.outputs[0] ?? null) as Value;
}

/** DequantizeLinear → functions of one tensor → QuantizeLinear: a lookup table for all bytes. */
export const byteFunctions: Rule = {
  name: 'function of bytes by a table',
  roots: ['QuantizeLinear'],
  propose(root, editor, build): Proposal {
    const y = quantizedBy(editor, root);
    const found: Unary = { nodes: [], source: undefined };
    if (!isOneStep(y) || !isUnary(editor, root.inputs[0] ?? null, found)) return undefined;
    const x = dequantized(editor, found.source?.outputs[0]);
    if (!isOneStep(x) || !sameDims(x.dims as never, y.dims as never)) return undefined;
    if (contentsOf(editor, x.value)) return undefined;
    const replaces = emitByteTable(build, x.value, x.element, (bytes) => repeated(build, found, root, bytes));
    return { replaces: [replaces], covers: [root, ...found.nodes] };
  },
};
