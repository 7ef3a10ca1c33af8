import { CATEGORIES } from '../../graph/outline.js';
import { BoxKind } from '../../graph/picture.js';
import { METRICS } from '../../layout/metrics.js';
import type { Scene } from '../scene/scene.js';
import { sizeOf, titleOf } from '../scene/words.js';
import { BADGES, badgeShown, isAlarm } from './dress.js';
import { glyph } from './glyph.js';
import { DETAIL, FACES, LOOK } from './look.js';
import { crisp, type Items, inPieces, lineWidth, type Painting, type Stage, sorted } from './stage.js';

/** All boxes except open modules. */
export function* paintBoxes(stage: Stage, boxes: Items): Painting {
  const { zoom, scene, dress } = stage;
  const seen = isFar(stage) ? boxes.filter((box) => isSeenFarAway(stage, box)) : boxes;
  if (zoom < DETAIL.rounded) return yield* specks(stage, seen);
  const modules = seen.filter((box) => scene.picture.boxes.kind[box] === BoxKind.module);
  yield* stacks(stage, modules);
  yield* bodies(stage, seen);
  yield* stripes(stage, seen);
  if (zoom >= DETAIL.text) yield* inPieces(seen, 48, (from, to) => titles(stage, seen, from, to));
  yield* badges(
    stage,
    seen.filter((box) => dress.badges[box]),
  );
}

const isFar = ({ zoom, scene }: Stage): boolean => zoom < DETAIL.nodes && scene.picture.boxes.count > DETAIL.fewBoxes;

/** From far away, the contents of open modules are represented by their frames. */
const isSeenFarAway = ({ scene }: Stage, box: number): boolean =>
  scene.picture.boxes.kind[box] === BoxKind.module || scene.depth[box] === 0;

/** Boxes too small for a stripe are filled with their category's colour: the smaller, the stronger. */
function colourOf({ scene, dress, zoom }: Stage, box: number): string {
  const { theme, heat } = dress;
  const step = heat[box] as number;
  if (step) return theme.heat[step - 1] as string;
  const { kind } = scene.picture.boxes;
  const isFull = zoom < DETAIL.edges;
  if (kind[box] === BoxKind.module) return zoom < DETAIL.rounded ? theme.nodeBorder : theme.module;
  if (zoom >= DETAIL.rounded) return theme.tints[categoryOf(scene, box)] as string;
  return (isFull ? theme.categories : theme.specks)[categoryOf(scene, box)] as string;
}

const INPUT = CATEGORIES.indexOf('input');

function categoryOf({ outline, picture: { boxes } }: Scene, box: number): number {
  return boxes.kind[box] === BoxKind.node ? (outline.nodes.category[boxes.subject[box] as number] as number) : INPUT;
}

function* specks(stage: Stage, boxes: Items): Painting {
  const { x, y, width, height } = stage.scene.picture.boxes;
  const least = 0.9 / stage.zoom;
  const badged = stage.dress.badges;
  yield* inPieces(boxes, 1024, (from, to) => {
    for (let i = from; i < to; i++) {
      const box = boxes[i] as number;
      const [wide, high] = [Math.max(least, width[box] as number), Math.max(least, height[box] as number)];
      const mark = badged[box] ? badgeShown(badged[box] as number) : -1;
      const colour = isAlarm(mark) ? (stage.dress.theme.badges[mark] as string) : colourOf(stage, box);
      stage.pen.block(x[box] as number, y[box] as number, wide, high, colour);
    }
  });
}

/** The edge of a second card below a closed module. */
function* stacks(stage: Stage, modules: Items): Painting {
  const { x, y, width, height } = stage.scene.picture.boxes;
  const { theme } = stage.dress;
  yield* inPieces(modules, 256, (from, to) => {
    for (let i = from; i < to; i++) {
      const box = modules[i] as number;
      stage.pen.box(
        (x[box] as number) + 4,
        (y[box] as number) + 3,
        (width[box] as number) - 8,
        height[box] as number,
        LOOK.radius,
      );
    }
    stage.pen.fill(theme.module);
    stage.pen.stroke(theme.nodeBorder, lineWidth(stage));
    stage.pen.clear();
  });
}

function* bodies(stage: Stage, boxes: Items): Painting {
  for (const [colour, same] of sorted(boxes, (box) => colourOf(stage, box))) {
    yield* inPieces(same, 256, (from, to) => {
      for (let i = from; i < to; i++) outline(stage, same[i] as number);
      stage.pen.fill(colour);
      stage.pen.stroke(stage.dress.theme.nodeBorder, lineWidth(stage));
      stage.pen.clear();
    });
  }
}

function outline(stage: Stage, box: number): void {
  const { x, y, width, height, kind } = stage.scene.picture.boxes;
  const isEnd = kind[box] === BoxKind.input || kind[box] === BoxKind.output;
  const radius = isEnd ? (height[box] as number) / 2 : LOOK.radius;
  const [left, top] = [crisp(stage, x[box] as number), crisp(stage, y[box] as number)];
  const right = crisp(stage, (x[box] as number) + (width[box] as number));
  const bottom = crisp(stage, (y[box] as number) + (height[box] as number));
  stage.pen.box(left, top, right - left, bottom - top, radius);
}

/** Stripes in category colours for nodes; a dot for inputs and outputs. */
function* stripes(stage: Stage, boxes: Items): Painting {
  const { kind, x, y, height } = stage.scene.picture.boxes;
  const striped = boxes.filter((box) => kind[box] !== BoxKind.module);
  const { inset, width, height: length } = LOOK.stripe;
  for (const [colour, same] of sorted(striped, (box) => categoryOf(stage.scene, box))) {
    yield* inPieces(same, 512, (from, to) => {
      for (let i = from; i < to; i++) {
        const box = same[i] as number;
        const high = kind[box] === BoxKind.node ? length : width + 2;
        const top = (y[box] as number) + ((height[box] as number) - high) / 2;
        const wide = kind[box] === BoxKind.node ? width : width + 2;
        stage.pen.box((x[box] as number) + inset, top, wide, high, wide / 2);
      }
      stage.pen.fill(stage.dress.theme.categories[colour] as string);
      stage.pen.clear();
    });
  }
}

function titles(stage: Stage, boxes: Items, from: number, to: number): void {
  const { kind } = stage.scene.picture.boxes;
  for (let i = from; i < to; i++) {
    const box = boxes[i] as number;
    if (kind[box] === BoxKind.module) moduleTitle(stage, box);
    else nodeTitle(stage, box);
  }
}

function nodeTitle(stage: Stage, box: number): void {
  const { scene, dress, pen } = stage;
  const { x, y, width, height, kind } = scene.picture.boxes;
  const { lettering } = dress;
  const face = kind[box] === BoxKind.node ? FACES.operator : FACES.detail;
  const below = kind[box] === BoxKind.node ? (scene.lines?.[scene.picture.boxes.subject[box] as number] ?? '') : '';
  const middle = below ? METRICS.nodeHeight / 2 : (height[box] as number) / 2;
  const [left, base] = [(x[box] as number) + LOOK.textInset, (y[box] as number) + middle + 4];
  const room = (width[box] as number) - LOOK.textInset - LOOK.textEnd;
  const words = lettering.fitted(titleOf(scene, box), room, face);
  const colour = textColour(stage, box);
  pen.text(words, left, base, face, colour);
  const muted = dress.heat[box] ? colour : dress.theme.muted;
  for (const [i, line] of (below ? below.split('\n') : []).entries())
    pen.text(lettering.fitted(line, room, FACES.type), left, base + (i + 1) * METRICS.lineHeight, FACES.type, muted);
  const heat = dress.heatWords(box);
  const wide = heat ? lettering.widthOf(heat, FACES.type) : 0;
  if (heat && lettering.widthOf(words, face) + 8 + wide <= room) {
    pen.text(heat, left + room - wide, base, FACES.type, colour);
  }
}

const textColour = ({ dress: { heat, theme } }: Stage, box: number): string =>
  heat[box] ? (theme.heatText[(heat[box] as number) - 1] as string) : theme.text;

function moduleTitle(stage: Stage, box: number): void {
  const { scene, dress, pen } = stage;
  const { x, y, width, subject } = scene.picture.boxes;
  const { theme, lettering } = dress;
  const [left, top] = [(x[box] as number) + LOOK.glyphTextInset, y[box] as number];
  const room = (width[box] as number) - LOOK.glyphTextInset - LOOK.textEnd;
  glyph(pen, (x[box] as number) + LOOK.glyph.x, top + LOOK.glyph.y, '+', theme);
  const colour = textColour(stage, box);
  pen.text(lettering.fitted(titleOf(scene, box), room, FACES.title), left, top + 18, FACES.title, colour);
  const size = sizeOf(scene.modules, subject[box] as number);
  const heat = dress.heatWords(box);
  const both = heat ? `${heat} · ${size}` : size;
  const said = heat && lettering.fitted(both, room, FACES.detail) !== both ? heat : both;
  const muted = dress.heat[box] ? colour : theme.muted;
  pen.text(lettering.fitted(said, room, FACES.detail), left, top + 34, FACES.detail, muted);
}

function* badges(stage: Stage, boxes: Items): Painting {
  yield* inPieces(boxes, 64, (from, to) => {
    for (let i = from; i < to; i++) badge(stage, boxes[i] as number);
  });
}

function badge({ scene, dress, pen, zoom }: Stage, box: number): void {
  const { x, y, width } = scene.picture.boxes;
  const shown = badgeShown(dress.badges[box] as number);
  const [centreX, centreY] = [(x[box] as number) + (width[box] as number) - 2, (y[box] as number) + 2];
  pen.box(centreX - LOOK.badge, centreY - LOOK.badge, 2 * LOOK.badge, 2 * LOOK.badge, LOOK.badge);
  pen.fill(dress.theme.badges[shown] as string);
  pen.stroke(dress.theme.background, 1.5);
  pen.clear();
  if (zoom < DETAIL.text) return;
  const words = BADGES[shown]?.glyph ?? '';
  const wide = dress.lettering.widthOf(words, FACES.badge);
  pen.text(words, centreX - wide / 2, centreY + 3.5, FACES.badge, dress.theme.badgeText[shown] as string);
}
