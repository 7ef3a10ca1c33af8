import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Outline } from '../graph/outline.js';
import type { Modules, Picture } from '../graph/picture.js';
import type { Shown } from '../graph/shown.js';
import type { ModelFiles, OpenedDocument } from '../workers/contracts/documents.js';

/** The state of the page. Only the store writes these signals; `workspace.ts` exposes them read-only. */

/** The model in view; null before one is opened. */
export const model = signal<OpenedDocument | null>(null);

/** The model's files, from which sessions are created. */
export const files = signal<ModelFiles | null>(null);

/** The address that the model was loaded from; null for a file. */
export const address = signal<string | null>(null);

/** The graph in view: the model's, a subgraph's or a function's. */
export const outline = signal<Outline | null>(null);
export const modules = signal<Modules | null>(null);
export const picture = signal<Picture | null>(null);

/** A tensor's type and sizes in a run. */
export interface SeenType {
  readonly type: string;
  readonly dims: readonly number[];
}
/** Values of the model's graph in the latest run, by name: edges show their sizes. */
export const ran = signal<ReadonlyMap<string, SeenType>>(new Map());

/** Modules of the graph in view that are open. */
export const opened = signal<ReadonlySet<number>>(new Set());
export const direction = signal<'down' | 'right'>('down');
export const folds = signal(true);

/** The details shown on nodes, and the resulting lines of each node. */
export const shown = signal<Shown>({ names: false, attributes: false, weights: false });
export const lines = signal<readonly string[]>([]);

/** Paths of modules that were opened initially to fill the canvas. */
export const firstOpened = signal<readonly string[]>([]);

export type Subject =
  | { readonly kind: 'node'; readonly index: number }
  | { readonly kind: 'value'; readonly index: number }
  | { readonly kind: 'module'; readonly index: number };

/** A node, value or module of the graph in view. */
export const selection = signal<Subject | null>(null);

/** The part that the graph should bring into view; the drawing resets it to null. */
export const revealed = signal<Subject | null>(null);

/** A number for each node of the graph in view, drawn as colour: NaN for none. */
export interface Heat {
  readonly title: string;
  readonly unit: string;
  readonly byNode: Float64Array;
  /** A number for each module; the sum of its nodes by default. */
  readonly byModule?: Float64Array | undefined;
  /** The coldest number; 0 by default. */
  readonly from?: number | undefined;
}
export const heat = signal<Heat | null>(null);

/** Marks on nodes of the graph in view, such as those of a comparison. */
export type Mark = 'added' | 'removed' | 'changed' | 'error' | 'nan' | 'captured';
export const marks = signal<ReadonlyMap<number, Mark>>(new Map());

/** Nodes and values of the graph in view that match a search; null without a search. */
export interface Found {
  readonly nodes: ReadonlySet<number>;
  readonly values: ReadonlySet<number>;
}
export const found = signal<Found | null>(null);

/** The id of the open panel, see app/panels.ts. */
export const panel = signal<string | null>('model');

/** The current step of the tour; null without a tour. */
export const tourStep = signal<number | null>(null);

export interface Notice {
  readonly id: number;
  readonly kind: 'error' | 'note';
  readonly text: string;
  readonly detail?: string | undefined;
}
export const notices = signal<readonly Notice[]>([]);

/** A running task: shown at the top, announced to screen readers. */
export interface Task {
  readonly id: number;
  readonly title: string;
  /** Between 0 and 1; undefined if unknown. */
  readonly done?: number | undefined;
  readonly cancel?: (() => void) | undefined;
}
export const tasks = signal<readonly Task[]>([]);
/** Announcements to screen readers: the progress and results of tasks. */
export const announced = signal<{ readonly id: number; readonly text: string } | null>(null);

export const isBusy: ReadonlySignal<boolean> = computed(() => tasks.value.length > 0);

/** A string of the graph in view by its index. */
export const text = (index: number | undefined): string => outline.value?.strings[index ?? 0] ?? '';
