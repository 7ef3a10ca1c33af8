/** A weight and a size of the theme's font. */
export interface Face {
  readonly weight: number;
  readonly size: number;
}

export const FACES = {
  operator: { weight: 500, size: 12 },
  title: { weight: 600, size: 12 },
  detail: { weight: 400, size: 11 },
  type: { weight: 400, size: 10 },
  badge: { weight: 700, size: 10 },
} as const satisfies Record<string, Face>;

/** How boxes are drawn, in pixels at a zoom of 1. */
export const LOOK = {
  radius: 5,
  frameRadius: 8,
  /** Of corners of edges. */
  bend: 8,
  arrow: 4,
  stripe: { inset: 7, width: 3, height: 14 },
  /** Where text begins in a box with a stripe. */
  textInset: 16,
  textEnd: 6,
  /** The centre of a module's + or −, from its upper left corner. */
  glyph: { x: 14, y: 14, radius: 6 },
  glyphTextInset: 26,
  header: 28,
  badge: 7,
} as const;

/** From which zoom on what is drawn; a node is 28 pixels high. */
export const DETAIL = {
  /** Below, nodes are less than one pixel high: no edge is drawn, and no node in opened modules unless boxes are few. */
  nodes: 0.036,
  fewBoxes: 20_000,
  /** Below, only edges that are longer than `shortEdge` on the screen: three pixels. */
  edges: 0.107,
  rounded: 0.3,
  text: 0.45,
  edgeTypes: 0.8,
} as const;

/** The longest type beside an edge, and what it needs at least to be read. */
export const TYPE_WIDTH = { most: 170, least: 26 };

/** Pixels of the screen. */
export const SHORT_EDGE = 12;
