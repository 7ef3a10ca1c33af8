import type { Outline } from '../../graph/outline.js';
import type { CapturedValue } from '../../workers/contracts/runs.js';

/** A captured value and the node of the graph in view that makes it: -1 for inputs and values of other graphs. */
export interface PlacedValue extends CapturedValue {
  readonly producer: number;
  readonly operator: string;
}

/** Values in the order of the nodes that make them; inputs come first. */
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

/** Values that contain NaN or infinity; nodes are sorted in a model, so the first value is the origin. */
export const nonFiniteOf = <V extends CapturedValue>(values: readonly V[]): V[] =>
  values.filter(({ statistics }) => statistics !== null && statistics.nans + statistics.infinities > 0);
