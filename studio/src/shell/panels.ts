import type { ComponentType } from 'preact';
import type { IconName } from '../design/icon.js';

export type PanelId =
  | 'model'
  | 'weights'
  | 'find'
  | 'run'
  | 'measure'
  | 'understand'
  | 'compare'
  | 'verify'
  | 'quantise'
  | 'watch'
  | 'edit';

/** A tool beside the graph. Its code is loaded when it is first opened. */
export interface Panel {
  readonly id: PanelId;
  readonly title: string;
  readonly icon: IconName;
  /** Whether it needs a model; those that do not open files of their own. */
  readonly needsModel: boolean;
  /** Wide panels take most of the page's width. */
  readonly isWide?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const PANELS: readonly Panel[] = [
  { id: 'model', title: 'Model', icon: 'model', needsModel: true, load: () => import('../model-panel/model-panel.js') },
  { id: 'find', title: 'Find', icon: 'find', needsModel: true, load: () => import('../find/find-panel.js') },
  { id: 'run', title: 'Run', icon: 'run', needsModel: true, load: () => import('../run/run-panel.js') },
  {
    id: 'measure',
    title: 'Measure',
    icon: 'measure',
    needsModel: true,
    isWide: true,
    load: () => import('../measure/measure-panel.js'),
  },
  {
    id: 'weights',
    title: 'Weights',
    icon: 'weights',
    needsModel: true,
    isWide: true,
    load: () => import('../tensors/weights-panel.js'),
  },
  {
    id: 'understand',
    title: 'Understand',
    icon: 'understand',
    needsModel: true,
    isWide: true,
    load: () => import('../understand/understand-panel.js'),
  },
  {
    id: 'compare',
    title: 'Compare',
    icon: 'compare',
    needsModel: true,
    isWide: true,
    load: () => import('../compare/compare-panel.js'),
  },
  {
    id: 'verify',
    title: 'Verify',
    icon: 'verify',
    needsModel: false,
    isWide: true,
    load: () => import('../verify/verify-panel.js'),
  },
  {
    id: 'quantise',
    title: 'Quantize',
    icon: 'quantise',
    needsModel: true,
    load: () => import('../quantise/quantise-panel.js'),
  },
  {
    id: 'watch',
    title: 'Watch',
    icon: 'watch',
    needsModel: false,
    isWide: true,
    load: () => import('../watch/watch-panel.js'),
  },
  { id: 'edit', title: 'Edit', icon: 'edit', needsModel: true, load: () => import('../edit/edit-panel.js') },
];
