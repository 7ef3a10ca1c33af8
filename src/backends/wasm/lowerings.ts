import type { KernelSet } from '../../../bindings/kernel-set.js';
import type { Graph } from '../../graph/graph.js';
import { allNodes } from '../../graph/walk.js';
import type { AnyOperator } from '../../schema/definition.js';
import { operatorOf } from '../../schema/registry.js';
import type { LoweringRule, Lowerings } from './lowering.js';

const known: Record<string, LoweringRule> = {};

/** Makes lowerings known. */
export const registerLowerings = (lowerings: Lowerings): void => void Object.assign(known, lowerings);

/** How kernels run the primitive that an operator is; undefined where only the host does, or other operators. */
export const loweringOf = ({ computes }: AnyOperator): LoweringRule | undefined =>
  computes && known[computes.primitive.name];

const setOf = new WeakMap<AnyOperator, KernelSet>();

/** Operators that come to kernels of a set of their own. */
export function registerKernels(set: KernelSet, operators: readonly AnyOperator[]): void {
  for (const operator of operators) setOf.set(operator, set);
}

/** What a graph needs beside the kernels that are always there. */
export function kernelSetsOf(graph: Graph): Set<KernelSet> {
  const sets = [...allNodes(graph)].map((node) => setOf.get(operatorOf(node)));
  return new Set(sets.filter((set) => set !== undefined));
}
