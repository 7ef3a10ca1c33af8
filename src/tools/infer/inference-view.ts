import { NodeView } from '../../analysis/node-view.js';
import { asSardonyxError } from '../../base/errors.js';
import type { Facts } from '../../graph/facts.js';
import type { Graph, Node } from '../../graph/graph.js';
import { lowerBound, type Size } from '../../graph/sizes.js';
import { formatType, type ValueType } from '../../graph/types.js';

/** Thrown if a rule reads the type of an unknown input. */
export class Unknown extends Error {}

export type Types = readonly (ValueType | null)[];

const MOST_SIZES = 1024;

/** Infers a subgraph and stores its facts separately. */
export type InferSubgraph = (graph: Graph, inputs: Types, facts: Facts) => Types;

/** A view of a node for inference. Sizes are not limited by memory, and facts of subgraphs are kept. */
export class InferenceView extends NodeView {
  constructor(
    node: Node,
    facts: Facts,
    private readonly subgraph: InferSubgraph,
  ) {
    super(node, facts);
  }

  override type(i: number): ValueType {
    const fact = this.facts.get(this.operand(i));
    if (!fact) throw new Unknown();
    const { type } = fact;
    return type.kind === 'sparse' && this.operator.sparse?.includes(i) ? { ...type, kind: 'tensor' } : type;
  }

  /**
   * The dims of an input; undefined for an unknown type, as some rules such as Shape do not need them. Implausibly long
   * shape vectors count as unknown.
   */
  override dims(i: number): readonly Size[] | undefined {
    if (!this.facts.has(this.operand(i))) return undefined;
    const dims = super.dims(i);
    const isEndless =
      this.operator.planned.includes(i) && dims?.length === 1 && lowerBound(dims[0] as Size) > MOST_SIZES;
    return isEndless ? [this.unknown()] : dims;
  }

  override inferGraph(graph: Graph, inputs: Types): Types {
    return this.subgraph(graph, inputs, this.facts.fork());
  }

  override outputTypes(): (ValueType | null)[] {
    const types = this.#inferred();
    for (const type of types)
      if (type?.kind === 'tensor' && type.dims?.some((d) => typeof d === 'number' && !(d >= 0 && Number.isInteger(d))))
        this.fail('INVALID_SHAPE', `the inputs give an output of type ${formatType(type)}`);
    return types;
  }

  #inferred(): (ValueType | null)[] {
    try {
      return this.operator.infer(this);
    } catch (thrown) {
      throw thrown instanceof Unknown
        ? thrown
        : asSardonyxError(thrown, { node: this.node.name, operator: this.node.op });
    }
  }
}
