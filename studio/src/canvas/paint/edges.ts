import { DETAIL, LOOK, SHORT_EDGE } from './look.js';
import type { Pen } from './pen.js';
import { type Items, inPieces, lineWidth, type Painting, type Stage } from './stage.js';

/** How edges are painted: `width` in units of the picture. */
export interface EdgeStyle {
  readonly colour: string;
  readonly width: number;
}

export function* paintEdges(stage: Stage, edges: Items, style: EdgeStyle): Painting {
  if (stage.zoom < DETAIL.nodes) return;
  const seen = stage.zoom < DETAIL.edges ? edges.filter((edge) => isLong(stage, edge)) : edges;
  yield* inPieces(seen, 256, (from, to) => strokeEdges(stage, seen, from, to, style));
  if (stage.zoom >= DETAIL.text) yield* inPieces(seen, 256, (from, to) => fillArrows(stage, seen, from, to, style));
}

function isLong({ scene, zoom }: Stage, edge: number): boolean {
  const { left, right, top, bottom } = scene.edgeExtents;
  const across = (right[edge] as number) - (left[edge] as number);
  const down = (bottom[edge] as number) - (top[edge] as number);
  return (across + down) * zoom >= SHORT_EDGE;
}

function strokeEdges(stage: Stage, edges: Items, from: number, to: number, { colour, width }: EdgeStyle): void {
  const { start, corners } = stage.scene.picture.edges;
  const bend = stage.zoom < DETAIL.rounded ? 0 : LOOK.bend;
  for (let i = from; i < to; i++) {
    const edge = edges[i] as number;
    trace(stage.pen, corners, start[edge] as number, start[edge + 1] as number, bend);
  }
  stage.pen.stroke(colour, lineWidth(stage, width));
  stage.pen.clear();
}

/** Lines through corners from…to, rounded there. */
function trace(pen: Pen, corners: Float32Array, from: number, to: number, bend: number): void {
  let x = corners[2 * from] as number;
  let y = corners[2 * from + 1] as number;
  pen.move(x, y);
  for (let k = from + 1; k < to; k++) {
    const nextX = corners[2 * k] as number;
    const nextY = corners[2 * k + 1] as number;
    if (bend && k + 1 < to)
      round(pen, x, y, nextX, nextY, corners[2 * k + 2] as number, corners[2 * k + 3] as number, bend);
    else pen.line(nextX, nextY);
    x = nextX;
    y = nextY;
  }
}

/** From towards a corner, around it, and on: `bend` pixels before and after, or half of the shorter line. */
function round(pen: Pen, x0: number, y0: number, x: number, y: number, x1: number, y1: number, bend: number): void {
  const before = Math.hypot(x - x0, y - y0);
  const after = Math.hypot(x1 - x, y1 - y);
  const reach = Math.min(bend, before / 2, after / 2);
  if (reach < 0.5) {
    pen.line(x, y);
    return;
  }
  pen.line(x - ((x - x0) / before) * reach, y - ((y - y0) / before) * reach);
  pen.curve(x, y, x + ((x1 - x) / after) * reach, y + ((y1 - y) / after) * reach);
}

function fillArrows({ scene, pen }: Stage, edges: Items, from: number, to: number, { colour, width }: EdgeStyle): void {
  const { start, corners } = scene.picture.edges;
  for (let i = from; i < to; i++) {
    const last = (start[(edges[i] as number) + 1] as number) - 1;
    if (last > (start[edges[i] as number] as number)) arrow(pen, corners, last, LOOK.arrow * (0.8 + width / 5));
  }
  pen.fill(colour);
  pen.clear();
}

function arrow(pen: Pen, corners: Float32Array, last: number, size: number): void {
  const [fromX, fromY] = [corners[2 * last - 2] as number, corners[2 * last - 1] as number];
  const [x, y] = [corners[2 * last] as number, corners[2 * last + 1] as number];
  const length = Math.hypot(x - fromX, y - fromY);
  if (length === 0) return;
  const [alongX, alongY] = [((x - fromX) / length) * size, ((y - fromY) / length) * size];
  pen.move(x, y);
  pen.line(x - 1.6 * alongX - 0.8 * alongY, y - 1.6 * alongY + 0.8 * alongX);
  pen.line(x - 1.6 * alongX + 0.8 * alongY, y - 1.6 * alongY - 0.8 * alongX);
  pen.line(x, y);
}
