import type { Scene } from '../scene/scene.js';
import { edgeWords } from '../scene/words.js';
import { DETAIL, FACES, TYPE_WIDTH } from './look.js';
import { type Items, inPieces, type Painting, type Stage } from './stage.js';

/** The types of values, once for each value that a box gives, where the first of its edges begins. */
export function* paintEdgeTypes(stage: Stage, edges: Items, colour: string): Painting {
  if (stage.zoom < DETAIL.edgeTypes) return;
  const first = edges.filter((edge) => stage.scene.isFirst[edge]);
  yield* inPieces(first, 32, (from, to) => {
    for (let i = from; i < to; i++) edgeType(stage, first[i] as number, colour);
  });
}

/** Right of the edge where graphs go down, above it where they go to the right. */
const BESIDE = { down: [5, 12], right: [6, -5] } as const;

function edgeType({ scene, pen, dress }: Stage, edge: number, colour: string): void {
  const { start, corners } = scene.picture.edges;
  const from = start[edge] as number;
  const [dx, dy] = BESIDE[scene.direction];
  const [x, y] = [(corners[2 * from] as number) + dx, (corners[2 * from + 1] as number) + dy];
  const room = roomAt(scene, x, y);
  const words = formsOf(edgeWords(scene, edge)).find((form) => dress.lettering.widthOf(form, FACES.type) <= room);
  if (words) pen.text(words, x, y, FACES.type, colour, dress.theme.background);
}

/** A type whole, or its sizes alone. */
const formsOf = (words: string): readonly string[] => {
  const sizes = words.indexOf('[');
  return sizes < 0 ? [words] : [words, words.slice(sizes)];
};

/** The width that is free before the next edge begins, or a box. */
function roomAt({ edges, boxes, picture }: Scene, x: number, y: number): number {
  const window = { x, y: y - 9, width: TYPE_WIDTH.most, height: 10 };
  let end = x + TYPE_WIDTH.most;
  const { start, corners } = picture.edges;
  edges.query(window, (edge) => {
    for (let k = start[edge] as number; k + 1 < (start[edge + 1] as number); k++) {
      const [x0, y0, x1, y1] = [0, 1, 2, 3].map((i) => corners[2 * k + i] as number) as [
        number,
        number,
        number,
        number,
      ];
      if (x0 === x1 && x0 > x && x0 - 4 < end && Math.min(y0, y1) < y && Math.max(y0, y1) > y - 9) end = x0 - 4;
    }
  });
  boxes.query(window, (box) => {
    const left = picture.boxes.x[box] as number;
    if (left > x && left - 4 < end) end = left - 4;
  });
  return end - x < TYPE_WIDTH.least ? 0 : end - x;
}
