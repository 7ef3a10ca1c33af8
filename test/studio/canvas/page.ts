import { createGraphView } from '../../../studio/src/canvas/view/create-view.js';
import type { GraphView } from '../../../studio/src/canvas/view/view.js';
import { differing } from './differing.js';
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
  toggle: record('toggle'),
  leave: record('leave'),
  frame: (milliseconds) => void frames.push(milliseconds),
});

globalThis.stage = { view, events, frames, generated, move, differing, show: (nodes) => view.show(generated(nodes)) };
