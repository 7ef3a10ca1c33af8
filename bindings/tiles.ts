/**
 * `times` tiles for every `per` of `count` items; both may be quotients too. Keeps tile counts symbolic for sizes that change in equal
 * steps.
 */
export interface Quotient {
  readonly count: Tiles;
  readonly per: number;
  readonly times: Tiles;
}

/** The number of tiles in a launch. */
export type Tiles = number | Quotient;

export const countOf = (tiles: Tiles): number =>
  typeof tiles === 'number' ? tiles : countOf(tiles.times) * Math.ceil(countOf(tiles.count) / tiles.per);
