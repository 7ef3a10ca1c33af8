import { NodeView } from '../../analysis/node-view.js';
import { asSardonyxError } from '../../base/errors.js';
import type { Facts } from '../../graph/facts.js';
import type { Graph, Node } from '../../graph/graph.js';
import { lowerBound, type Size } from '../../graph/sizes.js';
import { formatType, type ValueType } from '../../graph/types.js';

/** A rule has asked for the type of an input of which nothing is known. */
export class Unknown extends Error {}

export type Types = readonly (ValueType | null)[];

const MOST_SIZES = 1024;

/** Infers a subgraph into facts that are its own. */
export type InferSubgraph = (graph: Graph, inputs: Types, facts: Facts) => Types;

/** A node as inference looks at it: no memory bounds what a model says, and of each subgraph is kept what is found. */
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
   * Of an input of unknown type the rank is unknown, which some rules do not need: that of Shape. No shape has as many sizes as some models
   * say: of these nothing is known.
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
