import type { Heat } from '../paint/heat.js';
import type { Rectangle } from '../scene/rectangle.js';
import type { Drawn } from '../scene/scene.js';
import type { Target } from '../scene/target.js';
import type { Camera } from './camera.js';

/** Events of a view for its owner. */
export interface GraphHooks {
  select(target: Target | undefined): void;
  /** Enter on anything but a module. */
  details(target: Target): void;
  /** A double click on anything but a module, at a place in CSS pixels from the view's corner. */
  enter(target: Target, x: number, y: number): void;
  /** Requests opening or closing a module; respond by calling `show` with a new picture. */
  toggle(module: number, open: boolean): void;
  /** Escape at the top level: leave the subgraph or function. */
  leave(): void;
  /** The hovered target, with the pointer's place in CSS pixels from the view's corner. */
  hover?(target: Target | undefined, x: number, y: number): void;
  /** The overlays on the view, in CSS pixels from its corner. */
  covers?(): readonly Rectangle[];
  /** The camera changed, other than by `look`. */
  moved?(camera: Camera): void;
  /** Called after each drawn frame with its main-thread time in milliseconds. */
  frame?(milliseconds: number): void;
}

/** A canvas view of a graph with panning, zooming and keyboard navigation. */
export interface GraphView {
  /** Draws a picture. The selection is kept, and a module just opened or closed stays under the pointer. */
  show(drawn: Drawn): void;
  select(target: Target | undefined): void;
  /** Centres the target in the free area; a value that is no input or output is shown at its producer. */
  reveal(target: Target): void;
  selected(): Target | undefined;
  /** The picture point at the centre of the view, and the scale. */
  position(): Camera;
  moveTo(position: Camera): void;
  /** Colours nodes by figure and modules by sum; returns the figure of the hottest node, or 0. */
  setHeat(heat: Heat | undefined): number;
  /** Bits of BADGES, by node. */
  setBadges(badges: Uint8Array | undefined): void;
  camera(): Camera;
  /** Follows another view's camera, see `moved`. */
  look(camera: Camera): void;
  /** The target's rectangle in the picture; undefined if `has` is false. */
  rectangle(target: Target): Rectangle | undefined;
  fit(): void;
  /** To be called when overlays change: keeps a visible selection in view. */
  settle(): void;
  zoomBy(factor: number): void;
  zoomTo(zoom: number): void;
  /** Whether the picture has a box for the target; a value counts if its producer has one. */
  has(target: Target): boolean;
  focus(): void;
  /** The whole picture at a zoom of 1 in the current colours. */
  svg(): Promise<Blob>;
  /** `scale` pixels per picture unit; at most MOST_PIXELS in total. */
  png(scale: number): Promise<Blob>;
  dispose(): void;
}
