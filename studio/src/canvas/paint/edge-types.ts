import { contains, grown } from '../scene/rectangle.js';
import type { Scene } from '../scene/scene.js';
import { edgeWords } from '../scene/words.js';
import { DETAIL, FACES, TYPE_WIDTH } from './look.js';
import { type Items, inPieces, type Painting, type Stage } from './stage.js';

/** The types of values, once per value that leaves a box, at the start of its first edge. */
export function* paintEdgeTypes(stage: Stage, edges: Items, colour: string): Painting {
  if (stage.zoom < DETAIL.edgeTypes) return;
  const first = edges.filter((edge) => stage.scene.isFirst[edge] && isNear(stage, edge));
  yield* inPieces(first, 32, (from, to) => {
    for (let i = from; i < to; i++) edgeType(stage, first[i] as number, colour);
  });
}

function isNear({ scene, window }: Stage, edge: number): boolean {
  const { start, corners } = scene.picture.edges;
  const from = 2 * (start[edge] as number);
  return contains(grown(window, TYPE_WIDTH.most), corners[from] as number, corners[from + 1] as number);
}

/** Right of the edge in graphs that run down, above it in those that run to the right. */
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

/** The full type, or only its dimensions. */
const formsOf = (words: string): readonly string[] => {
  const sizes = words.indexOf('[');
  return sizes < 0 ? [words] : [words, words.slice(sizes)];
};

/** The free width before the next edge or box. */
function roomAt({ edges, boxes, picture }: Scene, x: number, y: number): number {
  const window = { x, y: y - 9, width: TYPE_WIDTH.most, height: 10 };
  let end = x + TYPE_WIDTH.most;
  const { start, corners } = picture.edges;
  edges.query(window, (edge) => {
    for (let k = 2 * (start[edge] as number); k + 3 < 2 * (start[edge + 1] as number); k += 2) {
      const at = corners[k] as number;
      if (at <= x || at - 4 >= end || at !== corners[k + 2]) continue;
      const [a, b] = [corners[k + 1] as number, corners[k + 3] as number];
      if (a < b ? a < y && b > y - 9 : b < y && a > y - 9) end = at - 4;
    }
  });
  boxes.query(window, (box) => {
    const left = picture.boxes.x[box] as number;
    if (left > x && left - 4 < end) end = left - 4;
  });
  return end - x < TYPE_WIDTH.least ? 0 : end - x;
}
