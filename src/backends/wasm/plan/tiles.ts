/** `times` tiles for every `per` of `count` items: where only the count changes, by equal steps, so may the tiles be told. */
export interface Quotient {
  readonly count: number;
  readonly per: number;
  readonly times: number;
}

/** How many tiles a launch has. */
export type Tiles = number | Quotient;

export const countOf = (tiles: Tiles): number =>
  typeof tiles === 'number' ? tiles : tiles.times * Math.ceil(tiles.count / tiles.per);
