// Frames per second while a drawing is moved and zoomed, in headless Chromium without a GPU (requirement A5 of the studio), with the
// longest task of the page's thread in processor time (A2). "grid" is a drawing as wide as the screen, all of which is visible at once at
// some size; "decoder" is a model of 22 nodes a layer as the studio draws it, with a mask and two tables read by all layers.
// usage: node --import tsx bench/studio/frames.ts [SECONDS]
import type { Page } from '../../studio/node_modules/playwright-core/index.js';
import { bundled, closeCanvas, openCanvas } from '../../test/studio/canvas/canvas-page.js';
import type { Moved, Way } from '../../test/studio/canvas/moving.js';
import type {} from '../../test/studio/canvas/page.js';
import type {} from './drawn-decoder.js';
import { longestTask } from './longest-task.js';

const SECONDS = Number(process.argv[2] ?? 5);
const CASES = [
  { of: 'grid', nodes: 10_000, asked: 55 },
  { of: 'grid', nodes: 50_000, asked: 30 },
  { of: 'decoder', nodes: 10_000, asked: 55 },
  { of: 'decoder', nodes: 50_000, asked: 30 },
] as const;
const ZOOMS = { 'all seen': 'fit', 'zoomed in': 1 } as const;
const WAYS: readonly Way[] = ['pan', 'zoom', 'both'];

type Case = (typeof CASES)[number];

const prepare = (page: Page, { of, nodes }: Case) =>
  page.evaluate(([of, nodes]) => stage.take(of === 'grid' ? stage.generated(nodes) : decoder(nodes / 22)), [
    of,
    nodes,
  ] as const);

async function measure(one: Case, zoom: number | 'fit', way: Way): Promise<string> {
  const { page, close } = await openCanvas();
  await page.addScriptTag({ content: await bundled(new URL('drawn-decoder.ts', import.meta.url)) });
  await prepare(page, one);
  const shown = await longestTask(page, async () => {
    await page.evaluate(() => stage.view.show(stage.taken()));
    await page.waitForTimeout(1000);
  });
  await page.evaluate((to) => (to === 'fit' ? stage.view.fit() : stage.view.zoomTo(to)), zoom);
  await page.waitForTimeout(1500);
  let moved: Moved = { rate: 0, p95: 0 };
  const moving = await longestTask(page, async () => {
    moved = await page.evaluate(([way, seconds]) => stage.move(way, seconds), [way, SECONDS] as const);
  });
  await close();
  return `${moved.rate.toFixed(1)} frames/s (asked ${one.asked}), p95 ${moved.p95.toFixed(1)} ms, longest task ${moving.toFixed(0)} ms, ${shown.toFixed(0)} at first`;
}

for (const one of CASES) {
  for (const [name, zoom] of Object.entries(ZOOMS)) {
    for (const way of WAYS) {
      console.log(`${one.of} of ${one.nodes} nodes, ${name}, ${way}: ${await measure(one, zoom, way)}`);
    }
  }
}
await closeCanvas();
