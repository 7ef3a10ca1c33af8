import { showBars } from './bars.js';
import { type Classifier, createClassifier } from './classifier.js';
import { byId } from './dom.js';
import { showOfflineState } from './offline.js';
import { drawingPad } from './pad.js';
import { rasterize } from './rasterize.js';

let classifier: Classifier | undefined;
let isStale = false;
const result = byId('result', HTMLElement);

const pad = drawingPad(byId('pad', HTMLCanvasElement), () => classifier && follow(classifier));
const clear = () => pad.clear();
byId('clear', HTMLButtonElement).addEventListener('click', clear);
addEventListener('keydown', ({ key }) => key === 'Escape' && clear());

/** Classifies the current drawing. If a run is in progress, classifies once more after it. */
async function follow(classify: Classifier): Promise<void> {
  isStale = true;
  if (result.ariaBusy === 'true') return;
  result.ariaBusy = 'true';
  try {
    while (isStale) {
      isStale = false;
      await classifyDrawing(classify);
    }
  } finally {
    result.ariaBusy = 'false';
  }
}

async function classifyDrawing(classify: Classifier): Promise<void> {
  const pixels = rasterize(pad.strokes);
  if (!pixels) return show(undefined, ' ');
  const started = performance.now();
  const probabilities = await classify(pixels);
  show(probabilities, `${(performance.now() - started).toFixed(1)} ms, including the worker`);
}

function show(probabilities: Float32Array | undefined, time: string): void {
  showBars(probabilities);
  const digit = probabilities?.indexOf(Math.max(...probabilities));
  const answer = byId('answer', HTMLElement);
  if (answer.textContent !== String(digit ?? ' ')) answer.textContent = String(digit ?? ' ');
  byId('time', HTMLElement).textContent = time;
}

showBars(undefined);
showOfflineState();
const progress = byId('progress', HTMLProgressElement);
const download = byId('download', HTMLElement);
try {
  classifier = await createClassifier((fraction) => {
    progress.value = fraction;
  });
  download.hidden = true;
  await follow(classifier);
} catch (error) {
  download.textContent = `The model cannot be loaded: ${(error as Error).message}`;
}
