import { BoxKind } from '../../graph/picture.js';
import type { Neighbourhood } from '../scene/neighbourhood.js';
import { paintBoxes } from './boxes.js';
import { paintEdgeTypes } from './edge-types.js';
import { paintEdges } from './edges.js';
import { LOOK } from './look.js';
import { crisp, lineWidth, type Painting, type Stage } from './stage.js';

/** No more than this are highlighted: they would be indistinguishable. */
const MOST_LIT = 2000;

/** Draws the visible part of a neighbourhood on top of the drawing. */
export function light(
  stage: Stage,
  near: Neighbourhood,
  isEdgeSeen: (edge: number) => boolean,
  isBoxSeen: (box: number) => boolean,
): void {
  const { theme } = stage.dress;
  const upstream = near.upstream.filter(isEdgeSeen).slice(0, MOST_LIT);
  const downstream = near.downstream.filter(isEdgeSeen).slice(0, MOST_LIT);
  const { kind } = stage.scene.picture.boxes;
  const boxes = near.boxes.filter((box) => kind[box] !== BoxKind.openModule && isBoxSeen(box)).slice(0, MOST_LIT);
  finish(paintEdges(stage, upstream, { colour: theme.upstream, width: 1.8 }));
  finish(paintEdges(stage, downstream, { colour: theme.downstream, width: 1.8 }));
  finish(paintBoxes(stage, boxes));
  finish(paintEdgeTypes(stage, [...upstream, ...downstream], theme.text));
}

/** An outline around a box, `gap` screen pixels away. */
export function ring(stage: Stage, box: number, colour: string, width: number, gap: number): void {
  const { scene, pen, zoom } = stage;
  const { x, y, width: wide, height, kind } = scene.picture.boxes;
  const away = gap / zoom;
  const isEnd = kind[box] === BoxKind.input || kind[box] === BoxKind.output;
  const radius = isEnd
    ? (height[box] as number) / 2
    : kind[box] === BoxKind.openModule
      ? LOOK.frameRadius
      : LOOK.radius;
  pen.box(
    crisp(stage, (x[box] as number) - away),
    crisp(stage, (y[box] as number) - away),
    (wide[box] as number) + 2 * away,
    (height[box] as number) + 2 * away,
    radius + away,
  );
  pen.stroke(colour, lineWidth(stage, width / zoom));
  pen.clear();
}

function finish(painting: Painting): void {
  while (!painting.next().done);
}
