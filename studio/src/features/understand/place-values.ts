import type { Outline } from '../../graph/outline.js';
import type { CapturedValue } from '../../workers/contracts/runs.js';

/** A captured value and the node of the graph in view that makes it: -1 for what is fed or lies elsewhere. */
export interface PlacedValue extends CapturedValue {
  readonly producer: number;
  readonly operator: string;
}

/** Values by the order of the nodes that make them; what is fed comes first. */
export function inGraphOrder(
  values: readonly CapturedValue[],
  { nodes, values: known, strings }: Outline,
): PlacedValue[] {
  const producers = new Map(Array.from(known.name, (name, i) => [strings[name], known.producer[i] as number]));
  return values
    .map((value) => {
      const producer = producers.get(value.name) ?? -1;
      const operator = producer < 0 ? '' : (strings[nodes.operator[producer] as number] as string);
      return { ...value, producer, operator };
    })
    .sort((a, b) => a.producer - b.producer);
}

/** Values with NaN or infinities in them; nodes are sorted in a model, so the first is where it began. */
export const nonFiniteOf = <V extends CapturedValue>(values: readonly V[]): V[] =>
  values.filter(({ statistics }) => statistics !== null && statistics.nans + statistics.infinities > 0);
