import { canvasPen } from '../paint/canvas-pen.js';
import type { Dress } from '../paint/dress.js';
import { TYPE_WIDTH } from '../paint/look.js';
import { paint } from '../paint/paint.js';
import type { Painting } from '../paint/stage.js';
import type { Scene } from '../scene/scene.js';
import type { Camera, Size } from './camera.js';

/** Side of a tile in pixels. */
const SIDE = 512;
/** One megabyte each. */
const MOST_TILES = 48;
const MOST_LAYERS = 3;
/** Tiles also cover this many picture units around the picture, where badges extend. */
const BORDER = 16;
/** Types of the last edges extend to the right. */
const BESIDE = TYPE_WIDTH.most;

interface Tile {
  readonly context: CanvasRenderingContext2D;
  /** The rest of its drawing still to be done. */
  rest: Painting | undefined;
}

/** Tiles of one density: device pixels per picture unit. */
interface Layer {
  readonly density: number;
  readonly tiles: Map<number, Tile>;
}

export interface Content {
  readonly scene: Scene;
  readonly dress: Dress;
}

export interface Screen extends Size {
  /** Device pixels per CSS pixel. */
  readonly ratio: number;
}

/** A picture as bitmaps that are drawn once, then moved and stretched, and redrawn when all is still. */
export interface Tiles {
  /** Sets new content; tiles of the same picture stay visible until they are redrawn. */
  wear(content: Content, isSamePicture: boolean): void;
  /** Sets the zoom for new tiles. */
  sharpen(camera: Camera, screen: Screen): void;
  density(): number;
  /** Draws missing tiles until `deadline` on the page's clock; returns whether there is more to do. */
  work(camera: Camera, screen: Screen, deadline: number): boolean;
  /** Whether tiles, current or old, cover the whole visible part. */
  covers(camera: Camera, screen: Screen): boolean;
  blit(context: CanvasRenderingContext2D, camera: Camera, screen: Screen): void;
}

export function createTiles(): Tiles {
  let content: Content | undefined;
  let layers: Layer[] = [];
  const spare: Tile[] = [];
  const release = (dropped: readonly Layer[]) => {
    for (const { tiles } of dropped) spare.push(...tiles.values());
  };
  const begin = (density: number) => {
    const empty = layers.filter(({ tiles }) => tiles.size > 0);
    layers = [...empty.slice(-(MOST_LAYERS - 1)), { density, tiles: new Map() }];
    release(empty.slice(0, -(MOST_LAYERS - 1)));
  };
  const current = () => layers.at(-1);
  return {
    wear(next, isSamePicture) {
      content = next;
      const density = current()?.density;
      if (!isSamePicture) release(layers.splice(0));
      if (density !== undefined) begin(density);
    },
    sharpen(camera, { ratio }) {
      if (current()?.density !== camera.scale * ratio) begin(camera.scale * ratio);
    },
    density: () => current()?.density ?? 0,
    work(camera, screen, deadline) {
      const layer = current();
      if (!content || !layer) return false;
      const isLeft = workOn(layer, content, placesSeen(layer, content, camera, screen), spare, screen.ratio, deadline);
      if (!isLeft) release(layers.splice(0, layers.length - 1));
      return isLeft;
    },
    covers(camera, screen) {
      const shown = content;
      return (
        !!shown && layers.some((layer) => unfinished(layer, placesSeen(layer, shown, camera, screen)).length === 0)
      );
    },
    blit(context, camera, screen) {
      if (!content) return;
      for (const layer of layers) blitLayer(context, layer, content, camera, screen);
    },
  };
}

interface Places {
  readonly columns: readonly [from: number, to: number];
  readonly rows: readonly [from: number, to: number];
}

/** The visible tiles that intersect the picture; `to` is exclusive. */
function placesSeen({ density }: Layer, { scene }: Content, camera: Camera, screen: Screen): Places {
  const side = (SIDE / density) * camera.scale;
  const span = (offset: number, seen: number, size: number): readonly [number, number] => {
    const origin = offset - BORDER * camera.scale;
    const last = Math.ceil(((size + 2 * BORDER) * density) / SIDE);
    return [Math.max(0, Math.floor(-origin / side)), Math.min(last, Math.ceil((seen - origin) / side))];
  };
  const { width, height } = scene.picture;
  return { columns: span(camera.x, screen.width, width + BESIDE), rows: span(camera.y, screen.height, height) };
}

const keyOf = (column: number, row: number) => row * 0x10000 + column;

function workOn(
  layer: Layer,
  content: Content,
  places: Places,
  spare: Tile[],
  ratio: number,
  deadline: number,
): boolean {
  const waiting = unfinished(layer, places);
  for (const key of waiting) {
    const tile = layer.tiles.get(key) ?? started(layer, content, key, spare, ratio, places);
    while (tile.rest) {
      if (performance.now() >= deadline) return true;
      if (tile.rest.next().done) tile.rest = undefined;
    }
  }
  return false;
}

/** Unfinished tiles, those nearest the middle of the screen first. */
function unfinished({ tiles }: Layer, { columns, rows }: Places): readonly number[] {
  const middle = (columns[0] + columns[1] - 1) / 2;
  const centre = (rows[0] + rows[1] - 1) / 2;
  const found: { key: number; distance: number }[] = [];
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) {
      const key = keyOf(column, row);
      const tile = tiles.get(key);
      if (!tile || tile.rest) found.push({ key, distance: (column - middle) ** 2 + (row - centre) ** 2 });
    }
  }
  return found.sort((a, b) => a.distance - b.distance).map(({ key }) => key);
}

function started(layer: Layer, content: Content, key: number, spare: Tile[], ratio: number, places: Places): Tile {
  const tile = spare.pop() ?? recycled(layer, places) ?? created();
  const [column, row] = [key % 0x10000, Math.floor(key / 0x10000)];
  tile.rest = painting(tile.context, content, layer.density, ratio, column, row);
  layer.tiles.set(key, tile);
  return tile;
}

/** An old tile out of view, for reuse. */
function recycled({ tiles }: Layer, { columns, rows }: Places): Tile | undefined {
  if (tiles.size < MOST_TILES) return undefined;
  for (const [key, tile] of tiles) {
    const [column, row] = [key % 0x10000, Math.floor(key / 0x10000)];
    if (column >= columns[0] && column < columns[1] && row >= rows[0] && row < rows[1]) continue;
    tiles.delete(key);
    return tile;
  }
  return undefined;
}

function created(): Tile {
  const canvas = document.createElement('canvas');
  canvas.width = SIDE;
  canvas.height = SIDE;
  return { context: canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D, rest: undefined };
}

function* painting(
  context: CanvasRenderingContext2D,
  { scene, dress }: Content,
  density: number,
  ratio: number,
  column: number,
  row: number,
): Painting {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = dress.theme.background;
  context.fillRect(0, 0, SIDE, SIDE);
  const border = borderOf(density);
  context.setTransform(density, 0, 0, density, border - column * SIDE, border - row * SIDE);
  const side = SIDE / density;
  const window = { x: column * side - BORDER, y: row * side - BORDER, width: side, height: side };
  const stage = { scene, dress, pen: canvasPen(context, dress.theme.font), zoom: density / ratio, density, window };
  yield* paint(stage);
}

/** In whole device pixels, as all lines are aligned to them. */
const borderOf = (density: number): number => Math.round(BORDER * density);

/** At the zoom of the tiles, places are whole pixels to keep them sharp; at others, tiles are stretched. */
function blitLayer(
  context: CanvasRenderingContext2D,
  layer: Layer,
  content: Content,
  camera: Camera,
  screen: Screen,
): void {
  const { columns, rows } = placesSeen(layer, content, camera, screen);
  const stretch = (camera.scale * screen.ratio) / layer.density;
  const isExact = Math.abs(stretch - 1) < 1e-6;
  const border = isExact ? borderOf(layer.density) : BORDER * camera.scale * screen.ratio;
  const originX = Math.round(Math.round(camera.x * screen.ratio) - border);
  const originY = Math.round(Math.round(camera.y * screen.ratio) - border);
  const at = (origin: number, place: number) => origin + Math.round(place * SIDE * stretch);
  for (let row = rows[0]; row < rows[1]; row++) {
    for (let column = columns[0]; column < columns[1]; column++) {
      const tile = layer.tiles.get(keyOf(column, row));
      if (!tile || tile.rest) continue;
      const [x, y] = [at(originX, column), at(originY, row)];
      if (isExact) context.drawImage(tile.context.canvas, x, y);
      else context.drawImage(tile.context.canvas, x, y, at(originX, column + 1) - x, at(originY, row + 1) - y);
    }
  }
}
