/** `times` tiles for every `per` of `count` items, either of which may be told so again: where sizes change by equal steps, so may the tiles be told. */
export interface Quotient {
  readonly count: Tiles;
  readonly per: number;
  readonly times: Tiles;
}

/** How many tiles a launch has. */
export type Tiles = number | Quotient;

export const countOf = (tiles: Tiles): number =>
  typeof tiles === 'number' ? tiles : countOf(tiles.times) * Math.ceil(countOf(tiles.count) / tiles.per);
