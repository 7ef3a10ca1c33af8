import type { GraphProto } from '../../../build/onnx.js';
import { quoted } from '../../advice/near.js';
import { SardonyxError } from '../../base/errors.js';
import { shown } from '../../base/shown.js';
import type { Facts } from '../../graph/facts.js';
import type { Node, Model as ReadModel, Value } from '../../graph/graph.js';
import { symbolsIn } from '../../graph/sizes.js';
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

/** Options of `inspectModel`. */
export interface InspectOptions {
  /** Sizes of dynamic dimensions, by name. Default: 1. */
  readonly dims?: Readonly<Record<string, number>> | undefined;
}

/** The cost of a node in one run, by the definition of its operator. */
export interface NodeFacts {
  /** The position of the node: `12`, or `12/body/3` within a subgraph. */
  readonly id: string;
  /** The operator of the node. */
  readonly operator: string;
  /** The multiply-adds; null if they depend on data or the node does not run. */
  readonly multiplyAdds: number | null;
  /** The number of elements in the constants that the node reads. Nodes may share constants. */
  readonly parameters: number;
  /** The bytes of the constants that the node reads. */
  readonly weightBytes: number;
  /** The bytes that the node reads, including weights; null if a shape is unknown. */
  readonly readBytes: number | null;
  /** The bytes that the node writes; null if a shape is unknown. */
  readonly writtenBytes: number | null;
}

/** The result of `inspectModel`. */
export interface Inspection extends ModelSummary {
  /** The multiply-adds of all nodes that can be counted. */
  readonly multiplyAdds: number;
  /**
   * The number of nodes whose multiply-adds are unknown, because their shapes or number of iterations depend on data.
   */
  readonly uncounted: number;
  /** The error of the first node that cannot be analyzed, such as one with an unknown operator. */
  readonly refusal?: string;
  /** The nodes in file order; nodes of subgraphs follow their parent node. */
  readonly byNode: readonly NodeFacts[];
}

/**
 * Describes a model: inputs, outputs, operators and weights, and the cost of one run, by node and in total. Large
 * weights are not read.
 * @throws SardonyxError INVALID_MODEL; INVALID_ARGUMENT if `dims` has an invalid size or a name that no input has
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
  const names = new Set(open.flatMap(symbolsIn));
  for (const [name, size] of Object.entries(dims)) {
    const refuse = (complaint: string) => new SardonyxError('INVALID_ARGUMENT', complaint);
    if (!names.has(name))
      throw refuse(
        `no input has a dynamic dimension "${name}"; the inputs have ${quoted(names) || 'no named dimensions'}`,
      );
    if (!Number.isSafeInteger(size) || size < 0)
      throw refuse(`dimension "${name}": expected a non-negative integer, got ${shown(size)}`);
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

/** The bytes of values; null if one is not a tensor of known shape. */
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
