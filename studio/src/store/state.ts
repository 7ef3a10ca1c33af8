import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Outline } from '../graph/outline.js';
import type { Modules, Picture } from '../graph/picture.js';
import type { Shown } from '../graph/shown.js';
import type { ModelFiles, OpenedDocument } from '../workers/contracts/documents.js';

/** What the page shows. The store alone writes these signals; `workspace.ts` gives everybody else the reading side. */

/** The model in view; null before one is opened. */
export const model = signal<OpenedDocument | null>(null);

/** The files it came from, which sessions are made of. */
export const files = signal<ModelFiles | null>(null);

/** The address that the model was loaded from; null of a file. */
export const address = signal<string | null>(null);

/** The graph in view: the model's, a subgraph's or a function's. */
export const outline = signal<Outline | null>(null);
export const modules = signal<Modules | null>(null);
export const picture = signal<Picture | null>(null);

/** A tensor's type and sizes, as a run had it. */
export interface SeenType {
  readonly type: string;
  readonly dims: readonly number[];
}
/** Values of the model's graph as the latest run had them, by name: their sizes stand on the edges. */
export const ran = signal<ReadonlyMap<string, SeenType>>(new Map());

/** Modules of the graph in view that are open. */
export const opened = signal<ReadonlySet<number>>(new Set());
export const direction = signal<'down' | 'right'>('down');
export const folds = signal(true);

/** What nodes show, and the lines of each node that follow from it. */
export const shown = signal<Shown>({ names: false, attributes: false, weights: false });
export const lines = signal<readonly string[]>([]);

/** Paths of modules that were opened to fill the canvas at the first look. */
export const firstOpened = signal<readonly string[]>([]);

export type Subject =
  | { readonly kind: 'node'; readonly index: number }
  | { readonly kind: 'value'; readonly index: number }
  | { readonly kind: 'module'; readonly index: number };

/** A node, value or module of the graph in view. */
export const selection = signal<Subject | null>(null);

/** What the graph is to bring into view; the drawing sets it back to null. */
export const revealed = signal<Subject | null>(null);

/** A number for each node of the graph in view, drawn as colour: NaN for none. */
export interface Heat {
  readonly title: string;
  readonly unit: string;
  readonly byNode: Float64Array;
  /** Of each module; left out, the sum of its nodes. */
  readonly byModule?: Float64Array | undefined;
  /** What is coldest; 0 if left out. */
  readonly from?: number | undefined;
}
export const heat = signal<Heat | null>(null);

/** Marks on nodes of the graph in view, as by a comparison. */
export type Mark = 'added' | 'removed' | 'changed' | 'error' | 'nan' | 'captured';
export const marks = signal<ReadonlyMap<number, Mark>>(new Map());

/** Nodes and values of the graph in view that a search has found; null while nothing is looked for. */
export interface Found {
  readonly nodes: ReadonlySet<number>;
  readonly values: ReadonlySet<number>;
}
export const found = signal<Found | null>(null);

/** The id of the panel that is open, see app/panels.ts. */
export const panel = signal<string | null>('model');

/** The step of the tour that is shown; null while there is no tour. */
export const tourStep = signal<number | null>(null);

export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
}
export const notices = signal<readonly Notice[]>([]);

/** What goes on: shown at the top, told to screen readers. */
export interface Task {
  readonly id: number;
  readonly title: string;
  /** Between 0 and 1; undefined where nobody knows. */
  readonly done?: number | undefined;
  readonly cancel?: (() => void) | undefined;
}
export const tasks = signal<readonly Task[]>([]);
/** What screen readers are told as it happens: how far tasks are, and what came of them. */
export const announced = signal<{ readonly id: number; readonly text: string } | null>(null);

export const isBusy: ReadonlySignal<boolean> = computed(() => tasks.value.length > 0);

/** The text of an index into the strings of the graph in view. */
export const text = (index: number | undefined): string => outline.value?.strings[index ?? 0] ?? '';
