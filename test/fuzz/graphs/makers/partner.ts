import { type Draft, type KnownTensor, plainOf } from '../draft.js';
import { isFixed } from './maker.js';

/** Whether the two broadcast in every set of sizes. */
export const meet = (a: KnownTensor, b: KnownTensor): boolean =>
  a.values.every((array, set) => {
    const other = b.values[set]?.dims ?? [];
    return array.dims.toReversed().every((d, i) => {
      const e = other.at(-1 - i);
      return e === undefined || d === e || d === 1 || e === 1;
    });
  });

/** Something that broadcasts with `x`, of its type unless said otherwise: a value that is there, or a constant. */
export function partnerOf(g: Draft, x: KnownTensor, type = x.type): KnownTensor {
  const { chance, pick } = g.choices;
  const others = g.tensors.filter((other) => other.type === type && meet(x, other));
  return others.length > 0 && chance(0.5) ? pick(others) : constantFor(g, x, type);
}

/** A constant that broadcasts with `x`: a scalar, of fewer axes, or of more. */
export function constantFor(g: Draft, x: KnownTensor, type = x.type): KnownTensor {
  const { below, chance, pick } = g.choices;
  const kept = pick([0, 1, 1, x.dims.length, below(x.dims.length + 1)]);
  const dims = x.dims.slice(x.dims.length - Math.min(kept, x.dims.length));
  const shape = dims.map((d) => (isFixed(d) && chance(0.8) ? d : 1));
  const more = shape.length === x.dims.length && x.dims.length < 5 && chance(0.15) ? [pick([1, 2, 3])] : [];
  return g.floats([...more, ...shape], type);
}

/** A scalar of the type of `x`. */
export const scalarLike = (g: Draft, { type }: KnownTensor, value: number): KnownTensor =>
  g.constant(type, [], [plainOf(type, value)], false);
