import type { Drawn } from '../../../studio/src/canvas/scene/scene.js';
import { createGraphView } from '../../../studio/src/canvas/view/create-view.js';
import type { GraphView } from '../../../studio/src/canvas/view/view.js';
import { differing } from './differing.js';
import { withClosed, withoutBoxes } from './fewer-boxes.js';
import { generated } from './generated.js';
import { move } from './moving.js';

/** What tests reach of the page by its global object. */
export interface Stage {
  view: GraphView;
  events: [name: string, ...details: unknown[]][];
  frames: number[];
  generated: typeof generated;
  move: typeof move;
  differing: typeof differing;
  show(nodes: number): void;
  /** The same with one module closed, and all that lies in it left out. */
  showClosed(nodes: number, module: number): void;
  showEmpty(): void;
  settled(): Promise<void>;
  /** Heat in milliseconds; answers the largest. */
  heat(of: (node: number) => number): number;
  /** Keeps a drawing, to be shown later without the time that making it takes. */
  take(drawn: Drawn): void;
  taken(): Drawn;
}

declare global {
  var stage: Stage;
}

const host = document.querySelector('main') as HTMLElement;
const events: Stage['events'] = [];
const frames: number[] = [];
const record =
  (name: string) =>
  (...details: unknown[]) =>
    void events.push([name, ...details]);

const view = createGraphView(host, {
  select: record('select'),
  details: record('details'),
  enter: record('enter'),
  toggle: record('toggle'),
  leave: record('leave'),
  frame: (milliseconds) => void frames.push(milliseconds),
});

let drawn = generated(1);
/** Of one graph, as pictures of it are. */
const known = new Map<number, Drawn>();
function graph(nodes: number): Drawn {
  const drawn = known.get(nodes) ?? generated(nodes);
  known.set(nodes, drawn);
  return drawn;
}

/** Until so many frames of the browser have none of the view's. */
const QUIET = 15;

async function settled(): Promise<void> {
  for (let [before, quiet] = [-1, 0]; quiet < QUIET; before = frames.length) {
    await new Promise(requestAnimationFrame);
    quiet = frames.length === before ? quiet + 1 : 0;
  }
}

const NODES = 20_000;
const words = (milliseconds: number) => `${milliseconds.toFixed(1)} ms`;

globalThis.stage = {
  view,
  events,
  frames,
  generated,
  move,
  differing,
  take(given) {
    drawn = given;
  },
  taken: () => drawn,
  show: (nodes) => view.show(graph(nodes)),
  showClosed: (nodes, module) => view.show(withClosed(graph(nodes), module)),
  heat: (of) =>
    view.setHeat({ byNode: Float64Array.from({ length: NODES }, (_, node) => of(node)), spread: 'linear', words }),
  settled,
  showEmpty: () => view.show(withoutBoxes(generated(1))),
};
