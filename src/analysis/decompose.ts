import { onBehalfOf, SardonyxError } from '../base/errors.js';
import { capturesOf, subgraphsOf } from '../graph/captures.js';
import { Copy } from '../graph/copy.js';
import type { Attributes, Graph, Node, Value } from '../graph/graph.js';
import { mark } from '../graph/origins.js';
import { isKnown } from '../graph/sizes.js';
import type { AnyOperator, Decomposition } from '../schema/definition.js';
import type { TensorValue } from '../tensor/tensor-value.js';
import { NodeView } from './node-view.js';

/** Creates nodes of operators given as `Name` or `domain:Name`. */
export class Emitter {
  readonly nodes: Node[] = [];

  constructor(readonly prefix: string) {}

  emit(operator: string, inputs: readonly (Value | null)[], attributes: Attributes = {}, outputs = 1): Value[] {
    const [op = operator, domain = ''] = operator.split(':').reverse();
    const name = `${this.prefix}/${op}_${this.nodes.length}`;
    const values = Array.from({ length: outputs }, (_, i): Value => ({ name: `${name}:${i}` }));
    this.nodes.push({ name, domain, op, inputs: [...inputs], outputs: values, attributes });
    return values;
  }

  /** Repeats the node, in its own opset version, with other inputs. */
  repeat(node: Node, inputs: readonly (Value | null)[], attributes: Attributes = node.attributes): Value[] {
    const operator = node.domain === '' ? node.op : `${node.domain}:${node.op}`;
    const values = this.emit(operator, inputs, attributes, node.outputs.length);
    (this.nodes.at(-1) as Node).opset = node.opset;
    return values;
  }

  /** Adds existing nodes. */
  adopt(nodes: readonly Node[]): void {
    this.nodes.push(...nodes);
  }

  constant(constant: TensorValue): Value {
    // Detects a decomposition that uses an unknown size as a number.
    if (!isKnown(constant.dims)) throw new SardonyxError('INTERNAL', `a constant of dims [${constant.dims}]`);
    return { name: `${this.prefix}/constant`, constant };
  }
}

class DecompositionView extends NodeView implements Decomposition<Record<string, unknown>> {
  readonly emitter: Emitter;

  constructor({ node, facts }: NodeView) {
    super(node, facts);
    this.emitter = new Emitter(node.name);
  }

  input(i: number): Value {
    return this.operand(i);
  }

  emit(...node: Parameters<Emitter['emit']>): Value[] {
    return this.emitter.emit(...node);
  }

  inline(name: string, graph: Graph, inputs: readonly Value[]): Value[] {
    const copy = new Copy(`${this.node.name}/${name}`, this.node.op);
    graph.inputs.forEach((input, i) => {
      copy.values.set(input, inputs[i] ?? null);
    });
    this.emitter.adopt(graph.nodes.map((node) => copy.node(node)));
    return graph.outputs.map((value) => copy.value(value) as Value);
  }

  constant(value: TensorValue): Value {
    return this.emitter.constant(value);
  }
}

/**
 * Decomposes the node, as its operator declares or by another `spelling`. Returns undefined if it is primitive or too little is known.
 * Throws an error for inputs that type inference refuses.
 */
export function decompose(view: NodeView, spelling?: AnyOperator['decompose']): Node[] | undefined {
  const { operator, node } = view;
  const how = spelling ?? operator.decompose;
  if (!how) return undefined;
  view.outputTypes();
  const context = new DecompositionView(view);
  const results = onBehalfOf(node, () => how(context));
  const nodes = results && rename(context.emitter.nodes, results, node.outputs);
  if (nodes) mark(nodes, node.origins);
  return nodes;
}

/**
 * Makes the nodes produce the outputs of the node that they replace. Adds Identity for a result that none of them produces, or that serves
 * two outputs.
 */
export function rename(nodes: Node[], results: readonly Value[], outputs: readonly (Value | null)[]): Node[] {
  results.forEach((result, i) => {
    const output = outputs[i];
    if (!output || output === result) return;
    const producer = nodes.find((node) => node.outputs.includes(result));
    const isTwice = results.indexOf(result) !== results.lastIndexOf(result);
    if (producer && !isTwice && !nodes.some((node) => isCapturing(node, result))) replace(nodes, result, output);
    else
      nodes.push({
        name: `${output.name}/identity`,
        domain: '',
        op: 'Identity',
        inputs: [result],
        outputs: [output],
        attributes: {},
      });
  });
  return nodes;
}

const isCapturing = (node: Node, value: Value) => subgraphsOf(node).some((graph) => capturesOf(graph).includes(value));

function replace(nodes: readonly Node[], value: Value, by: Value): void {
  const other = (found: Value | null) => (found === value ? by : found);
  for (const node of nodes) {
    if (node.inputs.includes(value)) node.inputs = node.inputs.map(other);
    if (node.outputs.includes(value)) node.outputs = node.outputs.map(other);
  }
}
