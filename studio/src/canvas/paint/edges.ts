import { contains, grown, type Rectangle } from '../scene/rectangle.js';
import { DETAIL, LOOK, SHORT_EDGE } from './look.js';
import type { Pen } from './pen.js';
import { crisp, type Items, inPieces, lineWidth, type Painting, type Stage } from './stage.js';

/** The style of edges: `width` in picture units. */
export interface EdgeStyle {
  readonly colour: string;
  readonly width: number;
}

export function* paintEdges(stage: Stage, edges: Items, style: EdgeStyle): Painting {
  if (stage.zoom < DETAIL.nodes) return;
  const seen = stage.zoom < DETAIL.edges ? edges.filter((edge) => isLong(stage, edge)) : edges;
  const isDue = segmentsIn(grown(stage.window, LOOK.bend + 2));
  yield* inPieces(seen, 256, (from, to) => strokeEdges(stage, seen, from, to, style, isDue));
  if (stage.zoom >= DETAIL.text) yield* inPieces(seen, 256, (from, to) => fillArrows(stage, seen, from, to, style));
}

function isLong({ scene, zoom }: Stage, edge: number): boolean {
  const { left, right, top, bottom } = scene.edgeExtents;
  const across = (right[edge] as number) - (left[edge] as number);
  const down = (bottom[edge] as number) - (top[edge] as number);
  return (across + down) * zoom >= SHORT_EDGE;
}

function strokeEdges(
  stage: Stage,
  edges: Items,
  from: number,
  to: number,
  { colour, width }: EdgeStyle,
  isDue: IsDue,
): void {
  const { start, corners } = stage.scene.picture.edges;
  const bend = stage.zoom < DETAIL.rounded ? 0 : LOOK.bend;
  for (let i = from; i < to; i++) {
    const edge = edges[i] as number;
    trace(stage, corners, start[edge] as number, start[edge + 1] as number, bend, isDue);
  }
  stage.pen.stroke(colour, lineWidth(stage, width));
  stage.pen.clear();
}

type IsDue = (x0: number, y0: number, x1: number, y1: number) => boolean;

/** Whether to draw a segment: if it is in view and no earlier one covers it, as hundreds do in the lane of one value. */
function segmentsIn({ x, y, width, height }: Rectangle): IsDue {
  const [right, bottom] = [x + width, y + height];
  const across = new Set<number>();
  const along = new Set<number>();
  const isNew = (known: Set<number>, at: number) => known.size < known.add(at).size;
  return (x0, y0, x1, y1) => {
    const [left, far, top, low] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
    if (far < x || left > right || low < y || top > bottom) return false;
    if (x0 === x1 && top <= y && low >= bottom) return isNew(along, x0);
    if (y0 === y1 && left <= x && far >= right) return isNew(across, y0);
    return true;
  };
}

/** Draws lines through corners from…to, rounded, omitting segments that aren't due. */
function trace(stage: Stage, corners: Float32Array, from: number, to: number, bend: number, isDue: IsDue): void {
  const { pen } = stage;
  let isLifted = true;
  for (let k = from + 1; k < to; k++) {
    const x0 = corners[2 * k - 2] as number;
    const y0 = corners[2 * k - 1] as number;
    const x1 = corners[2 * k] as number;
    const y1 = corners[2 * k + 1] as number;
    const wasLifted = isLifted;
    isLifted = !isDue(x0, y0, x1, y1);
    if (isLifted) continue;
    const [fromX, fromY] = [crisp(stage, x0), crisp(stage, y0)];
    const [x, y] = [crisp(stage, x1), crisp(stage, y1)];
    if (wasLifted) pen.move(fromX, fromY);
    if (!bend || k + 1 === to) pen.line(x, y);
    else
      round(
        pen,
        fromX,
        fromY,
        x,
        y,
        crisp(stage, corners[2 * k + 2] as number),
        crisp(stage, corners[2 * k + 3] as number),
        bend,
      );
  }
}

/** Draws a rounded corner that starts and ends `bend` pixels from it, or half of the shorter line. */
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

function fillArrows(stage: Stage, edges: Items, from: number, to: number, { colour, width }: EdgeStyle): void {
  const { start, corners } = stage.scene.picture.edges;
  const seen = grown(stage.window, 3 * LOOK.arrow);
  for (let i = from; i < to; i++) {
    const last = (start[(edges[i] as number) + 1] as number) - 1;
    if (last <= (start[edges[i] as number] as number)) continue;
    if (!contains(seen, corners[2 * last] as number, corners[2 * last + 1] as number)) continue;
    arrow(stage, last, LOOK.arrow * (0.8 + width / 5));
  }
  stage.pen.fill(colour);
  stage.pen.clear();
}

function arrow(stage: Stage, last: number, size: number): void {
  const { corners } = stage.scene.picture.edges;
  const { pen } = stage;
  const at = (i: number) => crisp(stage, corners[i] as number);
  const [fromX, fromY, x, y] = [at(2 * last - 2), at(2 * last - 1), at(2 * last), at(2 * last + 1)];
  const length = Math.hypot(x - fromX, y - fromY);
  if (length === 0) return;
  const [alongX, alongY] = [((x - fromX) / length) * size, ((y - fromY) / length) * size];
  pen.move(x, y);
  pen.line(x - 1.6 * alongX - 0.8 * alongY, y - 1.6 * alongY + 0.8 * alongX);
  pen.line(x - 1.6 * alongX + 0.8 * alongY, y - 1.6 * alongY - 0.8 * alongX);
  pen.line(x, y);
}
