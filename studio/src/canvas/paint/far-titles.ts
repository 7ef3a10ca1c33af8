import { titleOf } from '../scene/words.js';
import { DETAIL, FACES, LOOK } from './look.js';
import { type Items, inPieces, type Painting, type Stage } from './stage.js';

/** In screen pixels. */
const SIZE = 11;
const LEAST = { width: 36, height: 18 };

/** Titles of open modules whose headers are too small to read: at a fixed size on the screen, if there is room. */
export function* paintFarTitles(stage: Stage, frames: Items): Painting {
  if (stage.zoom >= DETAIL.text) return;
  const { zoom, scene } = stage;
  const { width, height } = scene.picture.boxes;
  const titled = new Set<number>();
  const roomy = frames.filter(
    (box) => (width[box] as number) * zoom >= LEAST.width && (height[box] as number) * zoom >= LEAST.height,
  );
  for (const box of roomy) if (!isUnderTitle(stage, box, titled)) titled.add(box);
  const boxes = [...titled];
  yield* inPieces(boxes, 48, (from, to) => {
    for (let i = from; i < to; i++) farTitle(stage, boxes[i] as number);
  });
}

/** Whether an outer module's title would overlap this one's. */
function isUnderTitle({ scene, zoom }: Stage, box: number, titled: ReadonlySet<number>): boolean {
  const { parent, y } = scene.picture.boxes;
  for (let around = parent[box] as number; around >= 0; around = parent[around] as number) {
    if (titled.has(around) && ((y[box] as number) - (y[around] as number)) * zoom < 1.4 * SIZE) return true;
  }
  return false;
}

function farTitle({ scene, dress, pen, zoom }: Stage, box: number): void {
  const { x, y, width } = scene.picture.boxes;
  const { theme, lettering } = dress;
  const inset = Math.min(LOOK.frameRadius, 4 / zoom);
  const near = { ...FACES.operator, size: SIZE };
  const words = lettering.fitted(titleOf(scene, box), (width[box] as number) * zoom - 8, near);
  const face = { ...near, size: SIZE / zoom };
  const base = (y[box] as number) + 12.5 / zoom;
  pen.text(
    words,
    (x[box] as number) + inset,
    base,
    face,
    theme.text,
    scene.depth[box] === 0 ? theme.background : theme.frames[1],
  );
}
