import type { Graph, Node, Value } from '../../../graph/graph.js';
import { operatorOf } from '../../../schema/registry.js';
import { elementCount } from '../../../tensor/tensor-value.js';

/** More conditions would make too many graphs. */
const MAX_CONDITIONS = 4;

/** Positions of boolean inputs that select branches: a condition is such an input, or computed from it alone. */
export function conditionsOf({ nodes, inputs }: Graph): number[] {
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  const found = new Set(
    nodes
      .filter((node) => operatorOf(node).becomes)
      .map(({ inputs: [condition] }) => inputBehind(producers, condition)),
  );
  return inputs.flatMap((value, i) => (found.has(value) && isOneTruth(value) ? [i] : [])).slice(0, MAX_CONDITIONS);
}

type Producers = ReadonlyMap<Value | null, Node>;

/** Follows single varying operands back to the first value; undefined if a node has several. */
function inputBehind(producers: Producers, value: Value | null | undefined): Value | null | undefined {
  const producer = value && producers.get(value);
  if (!producer) return value;
  const varying = producer.inputs.filter((input) => input && !input.constant);
  return varying.length === 1 ? inputBehind(producers, varying[0]) : undefined;
}

const isOneTruth = ({ type }: Value): boolean =>
  type?.kind === 'tensor' &&
  type.element === 'bool' &&
  (type.dims?.every((size) => typeof size === 'number') ?? false) &&
  elementCount(type.dims as number[]) === 1;
