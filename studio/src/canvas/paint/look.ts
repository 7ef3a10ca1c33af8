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

/** The look of boxes, in pixels at a zoom of 1. */
export const LOOK = {
  radius: 5,
  frameRadius: 8,
  /** Corner radius of edges. */
  bend: 8,
  arrow: 4,
  stripe: { inset: 7, width: 3, height: 14 },
  /** Where text starts in a box with a stripe. */
  textInset: 16,
  textEnd: 6,
  /** The centre of a module's + or − relative to its upper left corner. */
  glyph: { x: 14, y: 14, radius: 6 },
  glyphTextInset: 26,
  header: 28,
  badge: 7,
} as const;

/** The lowest zoom for each detail; a node is 28 pixels high. */
export const DETAIL = {
  /** Below this, nodes are less than a pixel high: no edges are drawn, and nodes in open modules only if there are few boxes. */
  nodes: 0.036,
  fewBoxes: 20_000,
  /** Below this, only edges longer than `shortEdge` on the screen are drawn: three pixels. */
  edges: 0.107,
  rounded: 0.3,
  text: 0.45,
  edgeTypes: 0.8,
} as const;

/** Most and least width of a type beside an edge; narrower ones can't be read. */
export const TYPE_WIDTH = { most: 170, least: 26 };

/** In screen pixels. */
export const SHORT_EDGE = 12;
