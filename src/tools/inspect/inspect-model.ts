import type { GraphProto } from '../../../build/onnx.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import type { Facts } from '../../graph/facts.js';
import type { Node, Model as ReadModel, Value } from '../../graph/graph.js';
import { operatorName } from '../../graph/walk.js';
import { loadOperators } from '../../groups/load-operators.js';
import type { Model } from '../../model/document/model.js';
import { type DecodedModel, modelOf } from '../../model/read-model.js';
import { byteLength } from '../../tensor/element-types.js';
import { elementCount } from '../../tensor/tensor-value.js';
import { runtimeView } from '../runtime-view.js';
import { graphOf } from '../surgery/refuse.js';
import { nodeIds } from './node-ids.js';
import { type ModelSummary, summarize, weightsIn } from './summarize.js';
import { type Work, workOf } from './work.js';

export interface InspectOptions {
  /** Numbers for the names of sizes; what is not named is 1. */
  readonly dims?: Readonly<Record<string, number>> | undefined;
}

/** What a node comes to in one run, by the definition of its operator. */
export interface NodeFacts {
  /** Its index in its graph, behind the path of that graph in a subgraph: `12`, `12/body/3`. */
  readonly id: string;
  readonly operator: string;
  /** Null where its shapes depend on data, it runs as often as data say, or not at all. */
  readonly multiplyAdds: number | null;
  /** Elements and bytes of the constants it reads, which others may read too. */
  readonly parameters: number;
  readonly weightBytes: number;
  /** Bytes of all that it reads, weights included, and of all that it writes; null where their shapes are not known. */
  readonly readBytes: number | null;
  readonly writtenBytes: number | null;
}

export interface Inspection extends ModelSummary {
  /** Of all nodes that can be counted. */
  readonly multiplyAdds: number;
  /** Nodes that would count, but whose shapes depend on data, or that run as often as data say. */
  readonly uncounted: number;
  /** What the first node says that cannot be looked at, such as one of an operator that nothing defines. */
  readonly refusal?: string;
  /** In the order of the file, those of subgraphs behind the node that has them. */
  readonly byNode: readonly NodeFacts[];
}

/**
 * What a model is: inputs, outputs, operators, weights, and what one run of it takes, by node and in total. Large weights are not read.
 * @throws SardonyxError INVALID_MODEL; INVALID_ARGUMENT where a size has no number, or no input has one of that name
 */
export async function inspectModel(model: Model, { dims = {} }: InspectOptions = {}): Promise<Inspection> {
  graphOf(model);
  const { proto, externalData } = await runtimeView(model);
  const read = modelOf(proto as DecodedModel, externalData);
  const sizes = sizesIn(read, dims);
  await loadOperators(read);
  const summary = summarize(read);
  const ids = nodeIds(proto.graph as GraphProto, read.graph);
  const work = workOf(read, sizes);
  const byNode = Array.from(ids, ([id, node]) => factsOf(id, node, work));
  const { total, unknown, refusal } = work;
  return { ...summary, multiplyAdds: total, uncounted: unknown, byNode, ...(refusal && { refusal: refusal.message }) };
}

function sizesIn({ graph }: ReadModel, dims: Readonly<Record<string, number>>): Map<string, number> {
  const open = graph.inputs.flatMap(({ type }) => (type?.kind === 'tensor' ? (type.dims ?? []) : []));
  const names = new Set(open.filter((dim) => typeof dim === 'string'));
  for (const [name, size] of Object.entries(dims)) {
    const refuse = (complaint: string) => new SardonyxError('INVALID_ARGUMENT', complaint);
    if (!names.has(name))
      throw refuse(
        `no input has a size of the name "${name}"; there are ${[...names].join(', ') || 'none with a name'}`,
      );
    if (!Number.isSafeInteger(size) || size < 0)
      throw refuse(`the size "${name}" is a whole number, not ${shown(size)}`);
  }
  return new Map(Object.entries(dims));
}

function factsOf(id: string, node: Node, { byNode, facts }: Work): NodeFacts {
  const { parameters, bytes: weightBytes } = weightsIn([node]);
  return {
    id,
    operator: operatorName(node),
    multiplyAdds: byNode.get(node) ?? null,
    parameters,
    weightBytes,
    readBytes: bytesOf(node.inputs, facts),
    writtenBytes: bytesOf(node.outputs, facts),
  };
}

/** Of values of which each is a tensor of known shape. */
function bytesOf(values: readonly (Value | null)[], facts: Facts): number | null {
  let bytes = 0;
  for (const value of values) {
    if (!value) continue;
    const type = facts.get(value)?.type;
    if (type?.kind !== 'tensor' || !type.dims?.every((dim) => typeof dim === 'number')) return null;
    bytes += byteLength(type.element, elementCount(type.dims as number[]));
  }
  return bytes;
}
