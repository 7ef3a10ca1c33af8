import { type Draft, type KnownTensor, Unfit } from '../draft.js';
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

/** The size of the last axis, of floats. */
export const widthOf = (x: KnownTensor): number => {
  const width = x.dims.at(-1);
  if (!isReal(x) || !isFixed(width) || width === 0) throw new Unfit();
  return width;
};

/** `x`, or a tensor that the model is fed: there a tie is one, whatever rounding does, and nothing before it decides on layouts. */
export function givenOr(g: Draft, x: KnownTensor): KnownTensor {
  const given = g.tensors.filter(({ name, type }) => type === x.type && g.inputs.some((input) => input.name === name));
  return g.choices.pick([x, ...given]);
}

/** What a convolution in plain loops may cost: multiply-adds. */
const MOST_PRODUCTS = 300_000;

export function mustBeCheap(x: KnownTensor, weights: KnownTensor): KnownTensor {
  const channels = x.dims[1] as number;
  const most = Math.max(...x.values.map(({ data }) => data.length));
  const products = (most * (weights.values[0]?.data.length ?? 0)) / channels;
  if (products > MOST_PRODUCTS) throw new Unfit();
  return weights;
}

/** Some size of this model. */
export const someSize = (g: Draft): number => g.choices.pick(g.sizes);
