import { BoxKind } from '../../graph/picture.js';
import { grown, type Rectangle } from '../scene/rectangle.js';
import { paintBoxes } from './boxes.js';
import { paintEdges, paintEdgeTypes } from './edges.js';
import { paintFrames } from './frames.js';
import { DETAIL } from './look.js';
import type { Painting, Stage } from './stage.js';

/** How far text, arrows and badges reach beyond what they belong to. */
const REACH = 12;
const TYPE_REACH = 200;

/** All that a window of the picture shows. One order of drawing serves the screen, the map and files. */
export function* paint(stage: Stage, window: Rectangle): Painting {
  const { scene, zoom, dress } = stage;
  const { kind } = scene.picture.boxes;
  const frames: number[] = [];
  const boxes: number[] = [];
  const edges: number[] = [];
  scene.boxes.query(grown(window, REACH), (box) => void (kind[box] === BoxKind.openModule ? frames : boxes).push(box));
  scene.edges.query(grown(window, zoom < DETAIL.edgeTypes ? REACH : TYPE_REACH), (edge) => void edges.push(edge));
  yield;
  yield* paintFrames(stage, frames.sort(ascending));
  yield* paintEdges(stage, edges, { colour: dress.theme.edge, width: 1.2 });
  yield* paintBoxes(stage, boxes);
  yield* paintEdgeTypes(stage, edges);
}

const ascending = (a: number, b: number) => a - b;
