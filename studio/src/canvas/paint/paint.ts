import { BoxKind } from '../../graph/picture.js';
import { grown } from '../scene/rectangle.js';
import { paintBoxes } from './boxes.js';
import { paintEdgeTypes } from './edge-types.js';
import { paintEdges } from './edges.js';
import { paintFarTitles } from './far-titles.js';
import { paintFrames } from './frames.js';
import { DETAIL, TYPE_WIDTH } from './look.js';
import type { Painting, Stage } from './stage.js';

/** How far text, arrows and badges extend beyond their items. */
const REACH = 12;

/** Paints everything in the stage's window, in the same order for the screen, the map and exports. */
export function* paint(stage: Stage): Painting {
  const { scene, zoom, dress, window } = stage;
  const { kind } = scene.picture.boxes;
  const frames: number[] = [];
  const boxes: number[] = [];
  const edges: number[] = [];
  scene.boxes.query(grown(window, REACH), (box) => void (kind[box] === BoxKind.openModule ? frames : boxes).push(box));
  scene.edges.query(
    grown(window, zoom < DETAIL.edgeTypes ? REACH : TYPE_WIDTH.most + REACH),
    (edge) => void edges.push(edge),
  );
  yield;
  yield* paintFrames(stage, frames.sort(ascending));
  yield* paintEdges(stage, edges, { colour: dress.theme.edge, width: 1.2 });
  yield* paintBoxes(stage, boxes);
  yield* paintFarTitles(stage, frames);
  yield* paintEdgeTypes(stage, edges, dress.theme.muted);
}

const ascending = (a: number, b: number) => a - b;
