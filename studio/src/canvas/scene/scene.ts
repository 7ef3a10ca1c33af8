import type { Outline, Ragged } from '../../graph/outline.js';
import type { Boxes, Edges, Modules, Picture } from '../../graph/picture.js';
import { type Extents, extentsOfBoxes, extentsOfEdges } from './extents.js';
import { linksOf } from './links.js';
import type { Rectangle } from './rectangle.js';
import { indexOf, type SpatialIndex } from './spatial-index.js';
import { type BoxOf, boxFinder, type Target } from './target.js';

/** A picture and the graph it shows. */
export interface Drawn {
  readonly outline: Outline;
  readonly modules: Modules;
  readonly picture: Picture;
  readonly direction: 'down' | 'right';
  /** The text below each node's operator, separated by line breaks. */
  readonly lines?: readonly string[];
}

/** A picture with the indexes for finding things in it. */
export interface Scene extends Drawn {
  readonly boxes: SpatialIndex;
  readonly edges: SpatialIndex;
  readonly boxExtents: Extents;
  readonly edgeExtents: Extents;
  /** Edges by the box they end at, and by the box they begin at. */
  readonly incoming: Ragged;
  readonly outgoing: Ragged;
  /** The number of open modules around each box. */
  readonly depth: Uint8Array;
  readonly boxOf: BoxOf;
  /** By edge: 1 if no earlier edge carries the same value out of the same box. */
  readonly isFirst: Uint8Array;
}

/** Takes about 20 ms for 50 000 boxes and 70 000 edges. */
export function sceneOf(drawn: Drawn): Scene {
  const { outline, modules, picture } = drawn;
  const boxExtents = extentsOfBoxes(picture.boxes);
  const edgeExtents = extentsOfEdges(picture.edges);
  const sizes = { node: outline.nodes.count, module: modules.count, value: outline.values.count };
  return {
    ...drawn,
    boxExtents,
    edgeExtents,
    boxes: indexOf(boxExtents),
    edges: indexOf(edgeExtents),
    incoming: linksOf(picture.edges.to, picture.boxes.count),
    outgoing: linksOf(picture.edges.from, picture.boxes.count),
    depth: depths(picture.boxes),
    boxOf: boxFinder(picture.boxes, sizes),
    isFirst: firsts(picture.edges, sizes.value),
  };
}

function depths({ count, parent }: Boxes): Uint8Array {
  const depth = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const around = parent[i] as number;
    if (around >= 0) depth[i] = Math.min(255, (depth[around] as number) + 1);
  }
  return depth;
}

function firsts({ count, from, value }: Edges, values: number): Uint8Array {
  const seen = new Int32Array(values).fill(-1);
  const isFirst = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    if (seen[value[i] as number] === from[i]) continue;
    seen[value[i] as number] = from[i] as number;
    isFirst[i] = 1;
  }
  return isFirst;
}

/** A zero-size rectangle at the origin for -1. */
export const boxRectangle = ({ picture: { boxes } }: Scene, box: number): Rectangle => ({
  x: boxes.x[box] ?? 0,
  y: boxes.y[box] ?? 0,
  width: boxes.width[box] ?? 0,
  height: boxes.height[box] ?? 0,
});

/** The box that produces a value without a box of its own, or -1. */
export function producerOf({ outline, boxOf }: Scene, { kind, index }: Target): number {
  const node = kind === 'value' ? (outline.values.producer[index] ?? -1) : -1;
  return node < 0 ? -1 : boxOf({ kind: 'node', index: node });
}
