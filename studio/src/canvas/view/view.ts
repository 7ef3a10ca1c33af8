import type { Heat } from '../paint/heat.js';
import type { Rectangle } from '../scene/rectangle.js';
import type { Drawn } from '../scene/scene.js';
import type { Target } from '../scene/target.js';
import type { Camera } from './camera.js';

/** What happens to a view that others act on. */
export interface GraphHooks {
  select(target: Target | undefined): void;
  /** Enter on something that is no module. */
  details(target: Target): void;
  /** A double click on something that is no module, at a place in pixels of CSS from the view's corner. */
  enter(target: Target, x: number, y: number): void;
  /** A module is to be opened or closed: the answer is a new picture, by `show`. */
  toggle(module: number, open: boolean): void;
  /** Escape at the top: out of a subgraph or function. */
  leave(): void;
  /** What the pointer is over, with a place in pixels of CSS from the view's corner. */
  hover?(target: Target | undefined, x: number, y: number): void;
  /** What lies over the view, in pixels of CSS from its corner. */
  covers?(): readonly Rectangle[];
  /** The camera is another, and not by `look`. */
  moved?(camera: Camera): void;
  /** Each frame that was drawn, with the milliseconds of the page's thread that it took. */
  frame?(milliseconds: number): void;
}

/** A picture of a graph on a canvas, which moves, zooms, and is walked by keys. */
export interface GraphView {
  /** Draws a picture. What was selected stays so, the module just opened or closed stays under the pointer. */
  show(drawn: Drawn): void;
  select(target: Target | undefined): void;
  /** Brings it to the middle of what is free; a value that is no input or output lies where it is made. */
  reveal(target: Target): void;
  selected(): Target | undefined;
  /** The point of the picture in the middle of the view, and its scale. */
  position(): Camera;
  moveTo(position: Camera): void;
  /** Colours nodes, and modules by their sums; answers the figure of the hottest node, or 0. */
  setHeat(heat: Heat | undefined): number;
  /** Bits of BADGES by node. */
  setBadges(badges: Uint8Array | undefined): void;
  camera(): Camera;
  /** Shows what another drawing shows, see `moved`. */
  look(camera: Camera): void;
  /** The place in the picture; undefined where `has` is false. */
  rectangle(target: Target): Rectangle | undefined;
  fit(): void;
  /** To be called when something else covers the view: a selection that was seen stays in sight. */
  settle(): void;
  zoomBy(factor: number): void;
  zoomTo(zoom: number): void;
  /** Whether the picture has a box of it; a value has that of the node that makes it. */
  has(target: Target): boolean;
  focus(): void;
  /** All of the picture at a zoom of 1 in the present colours. */
  svg(): Promise<Blob>;
  /** `scale` pixels for each of the picture; at most MOST_PIXELS of them. */
  png(scale: number): Promise<Blob>;
  dispose(): void;
}
