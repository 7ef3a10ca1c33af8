import type { Outline } from './outline.js';

/** What a box stands for: `subject` is a node's, a module's or a value's index. */
export const BoxKind = { node: 0, module: 1, openModule: 2, input: 3, output: 4 } as const;

/**
 * A graph laid out: boxes and edges in pixels at a zoom of 1, y downwards. Boxes of opened modules come before what lies in them.
 * The same outline and the same opened modules always give the same picture.
 */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly boxes: Boxes;
  readonly edges: Edges;
}

export interface Boxes {
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly width: Float32Array;
  readonly height: Float32Array;
  readonly kind: Uint8Array;
  readonly subject: Int32Array;
  /** The box of the opened module around it, or -1. */
  readonly parent: Int32Array;
}

export interface Edges {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The value that flows; where several share an edge between closed modules, the first. */
  readonly value: Int32Array;
  readonly shared: Int32Array;
  /** Corners x, y of edge i: from start[i] to start[i + 1] pairs. Drawn with rounded corners. */
  readonly start: Int32Array;
  readonly corners: Float32Array;
}

/** The modules of an outline: scopes that names and metadata say, and blocks that repeat. A module has a lower index than those in it. */
export interface Modules {
  readonly count: number;
  /** -1 at the top. */
  readonly parent: Int32Array;
  readonly title: readonly string[];
  /** Full place, `encoder/layers/0`; unique within the outline. */
  readonly path: readonly string[];
  /** Nodes in it, those of inner modules with them. */
  readonly size: Int32Array;
  /** Modules of the same structure have the same number: "BertLayer ×12". */
  readonly alike: Int32Array;
  /** The innermost module of each node, or -1. */
  readonly ofNode: Int32Array;
}

export interface PictureOptions {
  /** Modules that are open, in any order. */
  readonly opened: readonly number[];
  readonly direction: 'down' | 'right';
  /** Constants, identities and arithmetic of shapes are left out. */
  readonly folds: boolean;
}

/** The same before the modules are known: by the paths of those that are open, as far as there are such. */
export type FirstOptions = Omit<PictureOptions, 'opened'> & {
  readonly opened: readonly string[];
  /** Where none is open, modules are opened until the picture fills this. */
  readonly room?: Room | undefined;
};

/** Pixels of the screen. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

export interface FirstPicture {
  readonly modules: Modules;
  readonly opened: readonly number[];
  readonly picture: Picture;
}

/** What the layout's worker does; one at a time, the last request wins. */
export interface LayoutService {
  open(outline: Outline): Modules;
  /** What stands below the operator of each node from now on, a line each. */
  describe(lines: readonly string[]): void;
  picture(options: PictureOptions): Picture;
  /** Both, for one way between threads. */
  draw(outline: Outline, options: FirstOptions): FirstPicture;
  /** Lays a graph out that is not shown, see `rehearse`. */
  rehearse(outline: Outline): void;
}
