import { onBehalfOf } from '../../../base/errors.js';
import type { Budget } from '../../../base/turns.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import type { Iteration } from '../../../schema/definition.js';
import type { HostValue } from '../../../tensor/tensor-value.js';

/** Runs a subgraph in time slices. */
interface SubgraphRunner {
  begin(inputs: readonly (HostValue | undefined)[], outer: ReadonlyMap<Value, HostValue>): void;
  /** Returns whether the run is done. */
  advance(budget: Budget | null): boolean;
  takeOutputs(): HostValue[];
}

/** The progress of a node that runs subgraphs. */
export class SubgraphCall {
  readonly started = performance.now();
  #inner: SubgraphRunner | null = null;

  /** @param outer the values that subgraphs capture */
  constructor(
    private readonly node: Node,
    private readonly iteration: Iteration,
    private readonly outer: ReadonlyMap<Value, HostValue>,
    private readonly runnerOf: (graph: Graph) => SubgraphRunner,
  ) {}

  /** The node's outputs, or null if the run has to pause first. */
  advance(budget: Budget | null): HostValue[] | null {
    return onBehalfOf(this.node, () => {
      for (;;) {
        if (this.#inner && !this.#inner.advance(budget)) return null;
        const { done, value } = this.iteration.next(this.#inner?.takeOutputs() ?? []);
        if (done) return value;
        this.#inner = this.runnerOf(value.graph);
        this.#inner.begin(value.inputs, this.outer);
        if (budget?.isSpent()) return null;
      }
    });
  }
}
