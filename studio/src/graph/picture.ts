import type { Outline } from './outline.js';

/** Kinds of boxes: `subject` is the index of a node, module or value. */
export const BoxKind = { node: 0, module: 1, openModule: 2, input: 3, output: 4 } as const;

/**
 * A graph layout: boxes and edges in pixels at a zoom of 1, y downwards. Boxes of open modules precede their contents.
 * The same outline and open modules always give the same picture.
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
  /** The box of the enclosing open module, or -1. */
  readonly parent: Int32Array;
}

export interface Edges {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The value that flows; the first one if several share an edge between closed modules. */
  readonly value: Int32Array;
  readonly shared: Int32Array;
  /** The x, y corners of edge i are pairs start[i] to start[i + 1]. Drawn rounded. */
  readonly start: Int32Array;
  readonly corners: Float32Array;
}

/** The modules of an outline: scopes from names and metadata, and repeated blocks. A module has a lower index than those in it. */
export interface Modules {
  readonly count: number;
  /** -1 at the top. */
  readonly parent: Int32Array;
  readonly title: readonly string[];
  /** The full path, `encoder/layers/0`; unique within the outline. */
  readonly path: readonly string[];
  /** Number of nodes, including those of inner modules. */
  readonly size: Int32Array;
  /** Modules of the same structure share a number: "BertLayer ×12". */
  readonly alike: Int32Array;
  /** The innermost module of each node, or -1. */
  readonly ofNode: Int32Array;
}

export interface PictureOptions {
  /** Open modules, in any order. */
  readonly opened: readonly number[];
  readonly direction: 'down' | 'right';
  /** Whether constants, identities and shape arithmetic are left out. */
  readonly folds: boolean;
}

/** Options before the modules are known: open modules by path, ignoring unknown ones. */
export type FirstOptions = Omit<PictureOptions, 'opened'> & {
  readonly opened: readonly string[];
  /** If none is open, modules are opened until the picture fills this. */
  readonly room?: Room | undefined;
};

/** In screen pixels. */
export interface Room {
  readonly width: number;
  readonly height: number;
}

export interface FirstPicture {
  readonly modules: Modules;
  readonly opened: readonly number[];
  readonly picture: Picture;
}

/** The layout worker's interface; one request at a time, the last one wins. */
export interface LayoutService {
  open(outline: Outline): Modules;
  /** Sets the text below the operator of each node, one line each. */
  describe(lines: readonly string[]): void;
  picture(options: PictureOptions): Picture;
  /** Opens and draws in a single round trip between threads. */
  draw(outline: Outline, options: FirstOptions): FirstPicture;
  /** Lays out a graph that isn't shown, see `rehearse`. */
  rehearse(outline: Outline): void;
}
