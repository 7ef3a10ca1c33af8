import { onBehalfOf } from '../errors.js';
import { sizesOf } from '../graph/facts.js';
import type { Graph } from '../graph/graph.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import type { Evaluation } from './definition.js';
import { NodeView } from './node-view.js';

type RunGraph = (graph: Graph, inputs: readonly HostValue[]) => HostValue[];

const noSubgraphs: RunGraph = () => {
  throw new Error('no subgraph can run while planning');
};

class EvaluationView extends NodeView implements Evaluation<Record<string, unknown>> {
  constructor(
    { node, facts }: NodeView,
    readonly value: (i: number) => HostValue,
    readonly runGraph: RunGraph,
  ) {
    super(node, facts);
  }

  override contents(i: number): TensorValue | undefined {
    const value = this.given(i) ? this.value(i) : undefined;
    return isTensorValue(value) ? value : undefined;
  }

  override sizes(i: number): readonly number[] | undefined {
    const contents = this.contents(i);
    return contents && sizesOf(contents);
  }

  tensor(i: number): TensorValue {
    const value = this.value(i);
    return isTensorValue(value) ? value : this.fail('INVALID_TYPE', `input ${i} must be a tensor`);
  }
}

/**
 * Runs a node in TypeScript; by default on the contents that are known of its inputs. Contents that shape the result are
 * checked first.
 */
export function evaluateOnHost(
  view: NodeView,
  read: (i: number) => HostValue = (i) => view.contents(i) as TensorValue,
  runGraph: RunGraph = noSubgraphs,
): HostValue[] {
  const evaluation = new EvaluationView(view, read, runGraph);
  return onBehalfOf(view.node, () => {
    if (view.operator.planned.length > 0) evaluation.outputTypes();
    return (view.operator.evaluate as (c: unknown) => HostValue[])(evaluation);
  });
}
