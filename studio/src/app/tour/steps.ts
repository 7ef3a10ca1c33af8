import { model } from '../../store/workspace.js';

export interface Step {
  readonly title: string;
  readonly text: string;
  /** The tool that the step opens; null closes the open one. */
  readonly panel: string | null;
  /** Prepares the tool for the step's text. */
  readonly prepare?: () => Promise<void>;
}

/** Switches from random numbers to the drawing pad, and runs at each stroke. */
async function letDraw(): Promise<void> {
  const { isLive, labels, ways } = await import('../../features/run/state.js');
  ways.value = new Map([['image', 'draw']]);
  labels.value = Array.from('0123456789');
  isLive.value = true;
}

/** Does what the step describes, only once. */
async function measureOnce(): Promise<void> {
  const { measurement, measureModel } = await import('../../features/measure/state.js');
  if (!measurement.value) await measureModel();
}

async function captureOnce(): Promise<void> {
  const { captured, captureValues } = await import('../../features/understand/state.js');
  if (!captured.value) await captureValues();
}

async function quantizeOnce(): Promise<void> {
  const { quantizeModel, result } = await import('../../features/quantize/state.js');
  if (result.value?.document !== model.value?.id) await quantizeModel();
}

/** A tour of two minutes, on the digits network that is part of the page. */
export const STEPS: readonly Step[] = [
  {
    title: 'A model',
    text: 'This model classifies handwritten digits. Nodes are operators. Edges are tensors, labeled with their shapes. Drag or scroll to move the graph, hold Ctrl or ⌘ and scroll to zoom, and click a node to see its details.',
    panel: 'model',
  },
  {
    title: 'Run it',
    text: 'Draw a digit and watch the prediction change. You can also feed a model images, arrays, your camera, audio, or random values.',
    panel: 'run',
    prepare: letDraw,
  },
  {
    title: 'Where the time goes',
    text: 'A profile colors the graph by time, multiply-adds, or bytes moved. It also shows each operator, the threads, and the memory plan. Click a row to go to its node.',
    panel: 'measure',
    prepare: measureOnce,
  },
  {
    title: 'Look inside',
    text: 'Open any tensor of a run as a table, an image, or a histogram. The first tensor with NaN or infinity is marked in the graph.',
    panel: 'understand',
    prepare: captureOnce,
  },
  {
    title: 'Make the model smaller',
    text: 'Quantize the model with your own samples. The studio shows the size saved, the accuracy lost, and the layers that lose the most.',
    panel: 'quantize',
    prepare: quantizeOnce,
  },
  {
    title: 'Your turn',
    text: 'Drop a model, a Model Zoo folder, or a training log anywhere on the page. The studio works offline, and your files stay on your computer.',
    panel: null,
  },
];
