import type { StepTiming } from 'sardonyx';
import { prefixesOf, sharesOf } from '../../graph/origins.js';
import type { Outline } from '../../graph/outline.js';
import type { Modules } from '../../graph/picture.js';

/** Costs of the nodes of a graph, in the order of its outline. */
export interface Costs {
  /** NaN for nodes without a step. */
  readonly milliseconds: Float64Array;
  readonly multiplyAdds: Float64Array;
  readonly bytes: Float64Array;
  /** Steps that compute the node, alone or with others. */
  readonly steps: Int32Array;
}

/**
 * Attributes the steps of a run to the nodes of one graph; a step that computes several nodes is split equally among them.
 * @param whole the outline of the model's main graph, in which functions are called
 */
export function costsOf(steps: readonly StepTiming[], graph: Outline, whole: Outline): Costs {
  const { count } = graph.nodes;
  const column = () => new Float64Array(count).fill(Number.NaN);
  const costs = { milliseconds: column(), multiplyAdds: column(), bytes: column(), steps: new Int32Array(count) };
  const prefixes = prefixesOf(graph.path, whole);
  for (const step of steps)
    for (const [node, share] of sharesOf(step.origins, prefixes)) {
      if (node >= count) continue;
      add(costs.milliseconds, node, step.milliseconds * share);
      if (step.multiplyAdds !== null) add(costs.multiplyAdds, node, step.multiplyAdds * share);
      add(costs.bytes, node, step.bytes * share);
      costs.steps[node] = (costs.steps[node] as number) + 1;
    }
  return costs;
}

function add(column: Float64Array, node: number, amount: number): void {
  const before = column[node] as number;
  column[node] = Number.isNaN(before) ? amount : before + amount;
}

/** The same, summed over modules, including enclosing ones. */
export function costsOfModules(costs: Costs, modules: Modules): Costs {
  const { count, parent, ofNode } = modules;
  const column = () => new Float64Array(count);
  const sums = { milliseconds: column(), multiplyAdds: column(), bytes: column(), steps: new Int32Array(count) };
  ofNode.forEach((innermost, node) => {
    for (let at = innermost; at >= 0; at = parent[at] as number)
      for (const figure of ['milliseconds', 'multiplyAdds', 'bytes', 'steps'] as const)
        sums[figure][at] = (sums[figure][at] as number) + (costs[figure][node] || 0);
  });
  return sums;
}
