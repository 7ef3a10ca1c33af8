import { firstIn } from '../access/walk.js';
import type { Rectangle } from '../scene/rectangle.js';
import { boxRectangle, type Scene } from '../scene/scene.js';
import { centering, firstLook, fitted, fittingZoom, kept, moved, type Size, within, zoomedAbout } from './camera.js';
import type { Display } from './display.js';
import type { Place } from './pointer.js';

/** Camera movements; places are in screen coordinates. */
export interface Moves {
  pan(dx: number, dy: number): void;
  zoomAt(x: number, y: number, factor: number): void;
  zoomBy(factor: number): void;
  zoomTo(zoom: number): void;
  fit(): void;
  /** Centres a point of the picture. */
  centreOn(x: number, y: number): void;
  /** Centres it in the free part of the canvas. */
  reveal(what: Rectangle): void;
  /** Moves to the start of a graph shown for the first time. */
  begin(scene: Scene): void;
  /** Converts from screen to picture coordinates. */
  under(place: Place): Place;
  /** Converts from picture to screen coordinates. */
  onScreen(what: Rectangle): Rectangle;
}

const NOTHING: Size = { width: 1, height: 1 };

/** `free` returns the uncovered part of the screen. */
export function createMoves(display: Display, sceneNow: () => Scene | undefined, free: () => Rectangle): Moves {
  const picture = () => sceneNow()?.picture ?? NOTHING;
  const zoomed = (x: number, y: number, factor: number, from = display.camera()) => {
    const least = fittingZoom(picture(), display.screen());
    return kept(zoomedAbout(from, x, y, factor, least), picture(), display.screen());
  };
  const zoomBy = (factor: number) => {
    const { x, y, width, height } = free();
    display.look(zoomed(x + width / 2, y + height / 2, factor, display.destination()), 'flying');
  };
  return {
    pan: (dx, dy) => display.look(moved(display.camera(), dx, dy, picture(), display.screen())),
    zoomAt: (x, y, factor) => display.look(zoomed(x, y, factor)),
    zoomBy,
    zoomTo: (zoom) => zoomBy(zoom / display.destination().scale),
    fit: () => display.look(within(fitted(picture(), free()), free()), 'flying'),
    centreOn(x, y) {
      const { scale } = display.camera();
      const { width, height } = display.screen();
      display.look({ scale, x: width / 2 - x * scale, y: height / 2 - y * scale });
    },
    reveal: (what) => display.look(within(centering(display.destination(), what, free()), free()), 'flying'),
    begin(scene) {
      const first = boxRectangle(scene, firstIn(scene, -1));
      display.look(within(firstLook(scene.picture, free(), first, scene.direction), free()));
    },
    under({ x, y }) {
      const { scale, x: left, y: top } = display.camera();
      return { x: (x - left) / scale, y: (y - top) / scale };
    },
    onScreen({ x, y, width, height }) {
      const { scale, x: left, y: top } = display.camera();
      return { x: x * scale + left, y: y * scale + top, width: width * scale, height: height * scale };
    },
  };
}
