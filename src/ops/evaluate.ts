import type { Graph } from '../graph/graph.js';
import { type HostValue, isTensorValue, type TensorValue } from '../tensor/tensor-value.js';
import type { Evaluation } from './definition.js';
import type { NodeView } from './node-view.js';

type RunGraph = (graph: Graph, inputs: readonly HostValue[]) => HostValue[];

const noSubgraphs: RunGraph = () => {
  throw new Error('no subgraph can run while planning');
};

/** Runs a node in TypeScript; by default on the contents that are known of its inputs. */
export function evaluateOnHost(
  view: NodeView,
  read: (i: number) => HostValue = (i) => view.contents(i) as TensorValue,
  runGraph: RunGraph = noSubgraphs,
): HostValue[] {
  const context = Object.assign(Object.create(view) as NodeView, {
    value: read,
    tensor(i: number): TensorValue {
      const value = read(i);
      return isTensorValue(value) ? value : view.fail('INVALID_TYPE', `input ${i} must be a tensor`);
    },
    runGraph,
  });
  return (view.operator.evaluate as (c: unknown) => HostValue[])(context as unknown as Evaluation<unknown>);
}
