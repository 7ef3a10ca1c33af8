import type { KernelSet } from '../../../bindings/kernel-set.js';
import type { Graph } from '../../graph/graph.js';
import { allNodes } from '../../graph/walk.js';
import type { AnyOperator } from '../../schema/definition.js';
import { operatorOf } from '../../schema/registry.js';
import type { Lower, Lowerings } from './lowering.js';

const known: Record<string, Lower> = {};

export const registerLowerings = (lowerings: Lowerings): void => void Object.assign(known, lowerings);

/** The lowering of an operator's primitive; undefined if it runs only on the host, or as other operators. */
export const loweringOf = ({ computes }: AnyOperator): Lower | undefined => computes && known[computes.primitive.name];

const setOf = new WeakMap<AnyOperator, KernelSet>();

/** Registers operators that need a kernel set of their own. */
export function registerKernels(set: KernelSet, operators: readonly AnyOperator[]): void {
  for (const operator of operators) setOf.set(operator, set);
}

/** The kernel sets that a graph needs in addition to the default one. */
export function kernelSetsOf(graph: Graph): Set<KernelSet> {
  const sets = [...allNodes(graph)].map((node) => setOf.get(operatorOf(node)));
  return new Set(sets.filter((set) => set !== undefined));
}
