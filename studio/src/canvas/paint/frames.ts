import { titleOf } from '../scene/words.js';
import { glyph } from './glyph.js';
import { DETAIL, FACES, LOOK } from './look.js';
import { crisp, type Items, inPieces, lineWidth, type Painting, type Stage } from './stage.js';

/** Open modules, outer ones first. */
export function* paintFrames(stage: Stage, all: Items): Painting {
  const { scene, dress, zoom } = stage;
  const { width, height } = scene.picture.boxes;
  const frames = all.filter((box) => Math.max(width[box] as number, height[box] as number) * zoom >= 1);
  yield* inPieces(frames, 64, (from, to) => {
    for (let i = from; i < to; i++) {
      const box = frames[i] as number;
      const heat = dress.heat[box] as number;
      const fill = dress.theme.frames[(scene.depth[box] as number) % 2] as string;
      paintFrame(stage, box, fill, heat ? (dress.theme.heat[heat - 1] as string) : '');
      if (zoom >= DETAIL.text) header(stage, box);
    }
  });
}

function paintFrame(stage: Stage, box: number, fill: string, heat: string): void {
  const { x, y, width, height } = stage.scene.picture.boxes;
  const { pen, dress, zoom } = stage;
  const [left, top] = [crisp(stage, x[box] as number), crisp(stage, y[box] as number)];
  const wide = crisp(stage, (x[box] as number) + (width[box] as number)) - left;
  const high = crisp(stage, (y[box] as number) + (height[box] as number)) - top;
  pen.box(left, top, wide, high, zoom < DETAIL.rounded ? 0 : LOOK.frameRadius);
  pen.fill(fill);
  pen.stroke(dress.theme.frameBorder, lineWidth(stage));
  pen.clear();
  if (heat) pen.block(left + LOOK.frameRadius, top + LOOK.header - 2, wide - 2 * LOOK.frameRadius, 2, heat);
}

function header({ scene, dress, pen }: Stage, box: number): void {
  const { x, y, width } = scene.picture.boxes;
  const { theme, lettering } = dress;
  const [left, top] = [x[box] as number, y[box] as number];
  glyph(pen, left + LOOK.glyph.x, top + LOOK.glyph.y, '−', theme);
  const room = (width[box] as number) - LOOK.glyphTextInset - LOOK.textEnd;
  const words = lettering.fitted(titleOf(scene, box), room, FACES.title);
  pen.text(words, left + LOOK.glyphTextInset, top + 18, FACES.title, theme.text);
  const heat = dress.heatWords(box);
  const used = lettering.widthOf(words, FACES.title) + 12;
  const heatWidth = lettering.widthOf(heat, FACES.detail);
  if (heat && used + heatWidth <= room) {
    pen.text(heat, left + (width[box] as number) - LOOK.textEnd - heatWidth, top + 18, FACES.detail, theme.muted);
  }
}
