import { fold } from '../../analysis/fold.js';
import { NodeView } from '../../analysis/node-view.js';
import { SardonyxError } from '../../base/errors.js';
import { operandsOf } from '../../graph/captures.js';
import { Facts } from '../../graph/facts.js';
import type { Node } from '../../graph/graph.js';
import type { ValueType } from '../../graph/types.js';
import type { Model } from '../../model/document/model.js';
import { findOperator } from '../../schema/registry.js';
import { elementCount, isTensorValue } from '../../tensor/tensor-value.js';
import { openProto } from '../check/open-proto.js';
import { runtimeView } from '../runtime-view.js';

/** Types of the values of a model's graph by their names, as far as they follow from those of its inputs. */
export async function typesOf(model: Model): Promise<ReadonlyMap<string, ValueType>> {
  const { proto, externalData } = await runtimeView(model);
  const { graph } = await openProto(proto, externalData);
  const facts = new Facts();
  for (const input of graph.inputs) if (input.type) facts.set(input, { type: input.type });
  const types = new Map(graph.inputs.map(({ name, type }) => [name, type]));
  for (const node of graph.nodes) {
    if (!isKnown(node, facts)) continue;
    inferNode(node, facts);
    for (const value of node.outputs) if (value) types.set(value.name, facts.get(value)?.type);
  }
  return new Map([...types].flatMap(([name, type]) => (type ? [[name, type] as const] : [])));
}

const isKnown = (node: Node, facts: Facts): boolean =>
  findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY) !== undefined &&
  operandsOf(node).every((value) => facts.has(value));

/** Shape arithmetic is done on tensors of this size at most. */
const MAX_ELEMENTS = 4096;

function inferNode(node: Node, facts: Facts): void {
  try {
    const view = new NodeView(node, facts);
    view.infer();
    const isSmall = node.inputs.every((value) => {
      const contents = value && facts.get(value)?.contents;
      return !contents || elementCount(contents.dims) <= MAX_ELEMENTS;
    });
    const results = isSmall ? fold(view, () => MAX_ELEMENTS) : undefined;
    for (const [i, value] of node.outputs.entries()) {
      const contents = results?.[i];
      if (value && isTensorValue(contents))
        facts.set(value, { type: { kind: 'tensor', element: contents.type, dims: contents.dims }, contents });
    }
  } catch (thrown) {
    // What the operator refuses is the checker's to say: here its outputs have no type.
    if (!(thrown instanceof SardonyxError)) throw thrown;
  }
}
