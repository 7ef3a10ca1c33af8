import type { Facts } from '../../../graph/facts.js';
import type { Graph, Node, Value } from '../../../graph/graph.js';
import { presentNames } from '../../../graph/present-names.js';
import { operatorOf } from '../../../schema/registry.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { isResident } from '../plan/lower-node.js';
import type { SlotUse, StageStart } from '../plan/stage.js';

/** Inputs, and the outputs that are fed to them. */
export type Pairs = ReadonlyMap<Value, Value>;

/** The pairs of a graph, by their names. */
export function pairsOf({ inputs, outputs }: Graph): Pairs {
  const named = new Map(outputs.map((value) => [value.name, value]));
  return new Map(
    inputs.flatMap((input) => {
      const output = presentNames(input.name)
        .map((name) => named.get(name))
        .find(Boolean);
      return output ? [[input, output] as const] : [];
    }),
  );
}

/** A state, and the value of the stage that lies in its slot. */
export type WholeState = Pick<SlotUse, 'kind' | 'past' | 'present'> & { readonly placed: Value };

/**
 * States that do not change after the run that makes them, such as keys and values of cross-attention: inputs that are
 * read in place, and outputs that are made where they will be read, in the run that does not use the input.
 */
export function findWholeStates(
  pairs: Pairs,
  nodes: readonly Node[],
  start: StageStart,
  used: ReadonlySet<Value>,
): WholeState[] {
  const { held, outputs, facts } = start;
  const producers = new Map(nodes.flatMap((node) => node.outputs.map((value) => [value, node] as const)));
  const ends = outputs.map((value) => originOf(producers, value));
  const read = new Set(nodes.flatMap(({ inputs }) => inputs));
  return [...pairs].flatMap(([past, output]): WholeState[] => {
    if (used.has(past)) return [];
    if (held.includes(past) && read.has(past))
      return isMatrix(past, facts) && !ends.includes(past)
        ? [{ kind: 'lent', past, present: output, placed: past }]
        : [];
    const placed = originOf(producers, output);
    const isMade = outputs.includes(output) && producers.has(placed) && !used.has(placed);
    const isSole = ends.filter((value) => value === placed).length === 1;
    const isWhole = isMade && isSole && isMatrix(placed, facts) && isMatrix(output, facts);
    return isWhole ? [{ kind: 'kept', past, present: output, placed }] : [];
  });
}

/** The value that another is a view of. */
function originOf(producers: ReadonlyMap<Value | null, Node>, value: Value): Value {
  const producer = producers.get(value);
  const [viewed] = producer?.inputs ?? [];
  return producer && viewed && operatorOf(producer).computes?.primitive.facts.isView
    ? originOf(producers, viewed)
    : value;
}

function isMatrix(value: Value, facts: Facts): boolean {
  const type = facts.get(value)?.type;
  if (type?.kind !== 'tensor' || !isResident(type) || facts.get(value)?.contents) return false;
  const dims = type.dims as readonly number[];
  return dims.length >= 2 && ELEMENTS[type.element].bits >= 8 && elementCount(dims) > 0;
}
