import type { Draft, KnownTensor } from '../draft.js';
import { isFloating } from '../plain-tensors.js';

/** Adds nodes that read `x`. @throws Unfit where `x` is not for it */
export type Maker = (g: Draft, x: KnownTensor) => void | Promise<void>;

/** Makers with how often they are chosen. */
export type Makers = readonly (readonly [weight: number, maker: Maker])[];

export const isFixed = (size: number | undefined): size is number => size !== undefined && size >= 0;
export const isReal = ({ type }: KnownTensor): boolean => isFloating(type);
export const rankOf = ({ dims }: KnownTensor): number => dims.length;

/** An axis, counted from either end. */
export const axisOf = (g: Draft, rank: number, axis: number): number => (g.choices.chance(0.3) ? axis - rank : axis);

/** Some size of this model. */
export const someSize = (g: Draft): number => g.choices.pick(g.sizes);
