import type { ComponentType } from 'preact';
import { model } from '../store/workspace.js';

/** A tool beside the graph. Its code is loaded when it is first opened. */
export interface Panel {
  readonly id: string;
  readonly title: string;
  /** A path of strokes on 24×24. */
  readonly icon: string;
  /** Whether it needs a model; panels that do not can open their own files. */
  readonly needsModel: boolean;
  /** Whether it needs ONNX operators. */
  readonly needsOnnx?: boolean;
  /** Wide panels take most of the page's width. */
  readonly isWide?: boolean;
  readonly load: () => Promise<{ readonly default: ComponentType }>;
}

export const PANELS: readonly Panel[] = [
  {
    id: 'model',
    title: 'Model',
    icon: 'M12 3 4 7.5v9L12 21l8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
    needsModel: true,
    load: () => import('../features/model/model-panel.js'),
  },
  {
    id: 'find',
    title: 'Find',
    icon: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
    needsModel: true,
    load: () => import('../features/find/find-panel.js'),
  },
  {
    id: 'run',
    title: 'Run',
    icon: 'M7 4.5v15l12-7.5z',
    needsModel: true,
    needsOnnx: true,
    load: () => import('../features/run/run-panel.js'),
  },
  {
    id: 'measure',
    title: 'Measure',
    icon: 'M4 20h16M6.5 20v-6M11 20V9M15.5 20v-9M20 20V5',
    needsModel: true,
    needsOnnx: true,
    isWide: true,
    load: () => import('../features/measure/measure-panel.js'),
  },
  {
    id: 'weights',
    title: 'Weights',
    icon: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
    needsModel: true,
    isWide: true,
    load: () => import('../features/weights/weights-panel.js'),
  },
  {
    id: 'understand',
    title: 'Understand',
    icon: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z',
    needsModel: true,
    needsOnnx: true,
    isWide: true,
    load: () => import('../features/understand/understand-panel.js'),
  },
  {
    id: 'compare',
    title: 'Compare',
    icon: 'M4 5h6v14H4zM14 5h6v14h-6zM10 9h4M10 15h4',
    needsModel: true,
    needsOnnx: true,
    isWide: true,
    load: () => import('../features/compare/compare-panel.js'),
  },
  {
    id: 'verify',
    title: 'Verify',
    icon: 'M4.5 12.5 9.5 17.5 19.5 6.5',
    needsModel: false,
    isWide: true,
    load: () => import('../features/verify/verify-panel.js'),
  },
  {
    id: 'quantize',
    title: 'Quantize',
    icon: 'M4 18h4v-4h4v-4h4V6h4',
    needsModel: true,
    needsOnnx: true,
    load: () => import('../features/quantize/quantize-panel.js'),
  },
  {
    id: 'watch',
    title: 'Watch',
    icon: 'M3.5 17.5 9 11l4 3.5L20.5 6M20.5 6h-5M20.5 6v5',
    needsModel: false,
    isWide: true,
    load: () => import('../features/watch/watch-panel.js'),
  },
  {
    id: 'edit',
    title: 'Edit',
    icon: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
    needsModel: true,
    needsOnnx: true,
    load: () => import('../features/edit/edit-panel.js'),
  },
];

/** Whether the model in view meets a panel's needs. */
export const isAvailable = ({ needsModel, needsOnnx }: Panel): boolean =>
  (!needsModel || model.value !== null) && !(needsOnnx && model.value?.isViewOnly);
