import { type HostValue, isTensorValue } from '../../tensor/tensor-value.js';
import { compare, type Difference } from '../difference.js';

/** A value that both sides may have. */
export interface Compared {
  /** The name of the value. */
  readonly name: string;
  /** The node that computes the value, as `Operator "name"`. */
  readonly node: string | undefined;
  /** Whether the value is an intermediate value. */
  readonly isCaptured: boolean;
}

/** A value that was compared, with its difference. */
export interface Finding extends Compared, Difference {
  /** The element type and shape of the first side's value, such as `float32[1,10]`. */
  readonly type: string;
  /** Whether the value is within the tolerance; null if one side lacks the value. */
  readonly passed: boolean | null;
}

export type Values = Readonly<Record<string, HostValue>>;

/** A node and the names of its outputs. */
export interface Maker {
  readonly label: string;
  readonly outputs: readonly string[];
}

export const labelOf = (operator: string, name: string): string => `${operator}${name ? ` "${name}"` : ''}`;

/** The values to compare, in the order of the nodes that produce them, inputs first. */
export function comparedIn(
  makers: readonly Maker[],
  outputs: readonly string[],
  captured: readonly string[],
): Compared[] {
  const places = new Map(makers.flatMap(({ label, outputs: made }, at) => made.map((name) => [name, { at, label }])));
  const inside = new Set(captured);
  return [...new Set([...outputs, ...captured])]
    .map((name) => ({ name, node: places.get(name)?.label, isCaptured: inside.has(name) }))
    .sort((a, b) => (places.get(a.name)?.at ?? -1) - (places.get(b.name)?.at ?? -1));
}

/** Compares each value with its expected one. */
export const findingsOf = (
  compared: readonly Compared[],
  actual: Values,
  expected: Values,
  toleranceOf: (name: string) => number,
): Finding[] =>
  compared.map((place) => {
    const { name } = place;
    const value = actual[name] ?? null;
    const common = { ...place, type: typeOf(value) };
    if (!Object.hasOwn(expected, name)) return { ...common, passed: null, ...unknownTo('second') };
    if (!Object.hasOwn(actual, name)) return { ...common, passed: null, ...unknownTo('first') };
    const difference = compare(value, expected[name] ?? null);
    const passed = difference.mismatch === undefined && difference.relativeL2 <= toleranceOf(name);
    return { ...common, passed, ...difference };
  });

const unknownTo = (whom: string): Difference => ({
  relativeL2: Number.NaN,
  maxAbs: Number.NaN,
  outside: 0,
  mismatch: `missing in the ${whom} model`,
});

const typeOf = (value: HostValue): string =>
  isTensorValue(value) ? `${value.type}[${value.dims}]` : value === null ? 'absent' : 'not a tensor';
