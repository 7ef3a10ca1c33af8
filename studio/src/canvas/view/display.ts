import type { Camera } from './camera.js';
import { type Flight, flight, prefersStillness } from './flight.js';
import { drawFrame, type Marks } from './frame.js';
import type { Minimap } from './minimap.js';
import { createOverview } from './overview.js';
import { type Content, createTiles, type Screen } from './tiles.js';

/** A canvas that shows a picture through a camera and redraws on changes. */
export interface Display {
  camera(): Camera;
  /** Moves at once, or with an animation unless reduced motion is preferred. */
  look(camera: Camera, way?: 'at once' | 'flying'): void;
  /** Follows another drawing: moves at once without calling `moved`. */
  follow(camera: Camera): void;
  /** The end of a running animation, or the current camera. */
  destination(): Camera;
  screen(): Screen;
  resize(screen: Screen): void;
  wear(content: Content, isSamePicture: boolean): void;
  mark(marks: Marks): void;
  stop(): void;
}

export interface DisplayEvents {
  /** Called whenever the camera changes. */
  moved(camera: Camera): void;
  /** Called after each drawn frame with its duration in milliseconds. */
  drawn(milliseconds: number): void;
  /** Nothing moves any more and everything is sharp. */
  stilled(): void;
}

/** Milliseconds without zooming before tiles are redrawn for the new zoom. */
const STILL = 110;
/** Milliseconds per frame for drawing tiles: before anything of a picture is visible, during movement, and when still. */
const WORK = { unseen: 24, moving: 4, still: 12 };
/** Longest time to keep the last picture while the next one is drawn, in milliseconds. */
const MOST_HELD = 300;

export function createDisplay(context: CanvasRenderingContext2D, minimap: Minimap, events: DisplayEvents): Display {
  const tiles = createTiles();
  const overview = createOverview();
  let screen: Screen = { width: 0, height: 0, ratio: 1 };
  let camera: Camera = { scale: 1, x: 0, y: 0 };
  let way: Flight | undefined;
  let content: Content | undefined;
  let marks: Marks = { selected: undefined, hovered: undefined, isFocused: false };
  let changed = false;
  let movedAt = Number.NEGATIVE_INFINITY;
  let zoomedAt = Number.NEGATIVE_INFINITY;
  let heldSince = Number.NaN;
  let request = 0;

  const wake = () => {
    changed = true;
    request ||= requestAnimationFrame(tick);
  };
  const place = (next: Camera, now: number) => {
    if (next.scale !== camera.scale) zoomedAt = now;
    movedAt = now;
    camera = next;
    changed = true;
  };
  const move = (next: Camera, now: number) => {
    place(next, now);
    events.moved(next);
  };
  const sharpen = (now: number) => {
    const stretch = (camera.scale * screen.ratio) / tiles.density();
    const isStill = now - zoomedAt >= STILL;
    if (stretch !== 1 && (isStill || stretch > 2 || stretch < 0.5)) tiles.sharpen(camera, screen);
    return stretch === 1 || isStill;
  };
  const work = (begun: number): 'tiles' | 'overview' | 'nothing' => {
    const pace = !Number.isNaN(heldSince) ? 'unseen' : begun - movedAt < STILL ? 'moving' : 'still';
    const deadline = begun + WORK[pace];
    const hadAll = tiles.covers(camera, screen);
    if (tiles.work(camera, screen, deadline)) return 'tiles';
    const before = overview.bitmap();
    const isLeft = overview.work(deadline);
    if (!hadAll || overview.bitmap() !== before) changed = true;
    return isLeft ? 'overview' : 'nothing';
  };
  const draw = (shown: Content) => {
    drawFrame(context, shown, tiles, overview.bitmap(), camera, screen, marks);
    minimap.draw(overview.bitmap(), camera, screen, shown.dress.theme, screen.ratio);
    changed = false;
  };
  function tick(now: number): void {
    request = 0;
    if (!content || screen.width === 0 || screen.height === 0) return;
    const begun = performance.now();
    if (way) move(way.at(now), begun);
    if (way && now >= way.ends) way = undefined;
    const isSharp = sharpen(begun);
    const left = work(begun);
    const isHeld = left === 'tiles' && begun - heldSince < MOST_HELD;
    if (!isHeld) heldSince = Number.NaN;
    const wasChanged = changed || left !== 'nothing';
    if (wasChanged && !isHeld) {
      draw(content);
      events.drawn(performance.now() - begun);
    }
    if (wasChanged || way || !isSharp) request ||= requestAnimationFrame(tick);
    else events.stilled();
  }

  return {
    camera: () => camera,
    destination: () => way?.to ?? camera,
    look(next, how = 'at once') {
      const now = performance.now();
      way = how === 'flying' && !prefersStillness() ? flight(camera, next, now) : undefined;
      if (!way) move(next, now);
      wake();
    },
    follow(next) {
      way = undefined;
      place(next, performance.now());
      wake();
    },
    screen: () => screen,
    resize(next) {
      screen = next;
      context.canvas.width = Math.round(next.width * next.ratio);
      context.canvas.height = Math.round(next.height * next.ratio);
      context.canvas.style.width = `${next.width}px`;
      context.canvas.style.height = `${next.height}px`;
      wake();
    },
    wear(next, isSamePicture) {
      content = next;
      tiles.wear(next, isSamePicture);
      overview.wear(next, isSamePicture);
      if (!isSamePicture) heldSince = performance.now();
      wake();
    },
    mark(next) {
      marks = next;
      wake();
    },
    stop: () => cancelAnimationFrame(request),
  };
}
