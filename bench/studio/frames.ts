// Frames per second while a drawing is moved and zoomed, in headless Chromium without a GPU: A5 of what the studio must reach.
// usage: node --import tsx bench/studio/frames.ts [SECONDS]

import { closeCanvas, openCanvas } from '../../test/studio/canvas/canvas-page.js';
import type {} from '../../test/studio/canvas/page.js';

const SECONDS = Number(process.argv[2] ?? 5);
const CASES = [
  { nodes: 1_000, zoomedIn: false, asked: 55 },
  { nodes: 10_000, zoomedIn: false, asked: 55 },
  { nodes: 10_000, zoomedIn: true, asked: 55 },
  { nodes: 50_000, zoomedIn: false, asked: 30 },
  { nodes: 50_000, zoomedIn: true, asked: 30 },
];
const WAYS = ['pan', 'zoom', 'both'] as const;

for (const { nodes, zoomedIn, asked } of CASES) {
  for (const way of WAYS) {
    const { page, close } = await openCanvas();
    const shown = await page.evaluate((nodes) => {
      const drawn = stage.generated(nodes);
      const begun = performance.now();
      stage.view.show(drawn);
      return performance.now() - begun;
    }, nodes);
    await page.evaluate((near) => (near ? stage.view.zoomTo(1) : stage.view.fit()), zoomedIn);
    await page.waitForTimeout(1500);
    const { rate, p95, longest } = await page.evaluate(([way, seconds]) => stage.move(way, seconds), [
      way,
      SECONDS,
    ] as const);
    const where = zoomedIn ? 'zoomed in' : 'all seen';
    console.log(
      `${nodes} nodes, ${where}, ${way}: ${rate.toFixed(1)} frames/s (asked ${asked}), p95 ${p95.toFixed(1)} ms, longest task ${longest.toFixed(0)} ms; show() ${shown.toFixed(0)} ms`,
    );
    await close();
  }
}
await closeCanvas();
