// Processor time of the studio's first layout in a worker of headless Chromium: graphs like those of large language models, with all
// modules expanded. In brackets: all threads, including compilation and garbage collection on other threads.
// usage: npm run bench:layout
import { bundled, closeCanvas, openCanvas } from '../../test/studio/canvas/canvas-page.js';
import type { Asked } from './layout-worker.js';
import { processorTimes } from './processor-times.js';

const CASES = [
  { layers: 87, asked: 150 },
  { layers: 435, asked: 600 },
  { layers: 2174, asked: 3000 },
] as const;
const RUNS = 5;

interface Found {
  readonly worker: number;
  readonly pages: number;
}

const middle = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
const script = await bundled(new URL('layout-worker.ts', import.meta.url));

/** Sends the worker a message; returns its answer. */
const ANSWER = `answer = (data) => new Promise((resolve) => {
  worker.onmessage = (event) => resolve(event.data);
  worker.postMessage(data);
})`;

async function run(asked: Asked): Promise<Found & { readonly nodes: number }> {
  const { page, close } = await openCanvas();
  await page.evaluate(
    (script) => Object.assign(window, { worker: new Worker(URL.createObjectURL(new Blob([script]))) }),
    script,
  );
  await page.evaluate(ANSWER);
  const { nodes } = await page.evaluate<{ nodes: number }>(`answer(${JSON.stringify(asked)})`);
  await page.waitForTimeout(300);
  const { thread, pages } = await processorTimes(page, /^DedicatedWorker/, () => page.evaluate('answer({})'));
  await close();
  return { nodes, worker: thread, pages };
}

for (const { layers, asked } of CASES)
  for (const hasScopes of [true, false]) {
    const found: Found[] = [];
    let nodes = 0;
    for (let i = 0; i < RUNS; i++) {
      const one = await run({ layers, hasScopes });
      found.push(one);
      nodes = one.nodes;
    }
    const [worker, pages] = [found.map((one) => one.worker), found.map((one) => one.pages)];
    const span = `${Math.min(...worker).toFixed(0)} … ${Math.max(...worker).toFixed(0)}`;
    console.log(
      `${nodes} nodes${hasScopes ? ' in modules' : ''}: asked ≤ ${asked} ms, ${middle(worker).toFixed(0)} (${span}; all threads ${middle(pages).toFixed(0)})`,
    );
  }
await closeCanvas();
