// What the studio's page takes to start, to draw, and in memory; medians of five, in headless Chromium without a GPU.
// usage: npm run studio:build && npm run bench:studio
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeStudio, openStudio, type Page, shared } from '../../test/studio/studio-page.js';
import { decoderModel } from './decoder.js';

const RUNS = 5;
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

function say(what: string, asked: number, found: readonly number[], unit: string): void {
  const [least, most] = [Math.min(...found), Math.max(...found)];
  console.log(
    `${what}: asked ≤ ${asked} ${unit}, ${median(found).toFixed(0)} (${least.toFixed(0)} … ${most.toFixed(0)})`,
  );
}

async function start(): Promise<number> {
  const { page, close } = await openStudio();
  const milliseconds = await page.evaluate<number>(`performance.getEntriesByName('interactive')[0].startTime`);
  await close();
  return milliseconds;
}

interface Drawn {
  readonly milliseconds: number;
  readonly longest: number;
  readonly megabytes: number;
}

/** From the moment at which the page has the files to the first frame of the drawing. */
async function draw(paths: readonly string[]): Promise<Drawn> {
  const { page, close } = await openStudio();
  await page.evaluate('window.longTasks.length = 0');
  await give(page, paths);
  const milliseconds = await page.evaluate<number>(`new Promise((resolve) => {
    const ask = () => {
      const [begun] = performance.getEntriesByName('files given');
      const [drawn] = performance.getEntriesByName('drawn');
      if (drawn) resolve(drawn.startTime - begun.startTime);
      else setTimeout(ask, 5);
    };
    ask();
  })`);
  const bytes = await page.evaluate<number>(
    'performance.measureUserAgentSpecificMemory().then((found) => found.bytes)',
  );
  const longest = await page.evaluate<number>('Math.max(0, ...window.longTasks)');
  await close();
  return { milliseconds, longest, megabytes: bytes / 1e6 };
}

async function give(page: Page, paths: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await (await chooser).setFiles([...paths]);
}

async function sayDrawn(what: string, asked: number, paths: readonly string[]): Promise<void> {
  const found: Drawn[] = [];
  for (let i = 0; i < RUNS; i++) found.push(await draw(paths));
  say(
    `${what}, first drawing`,
    asked,
    found.map(({ milliseconds }) => milliseconds),
    'ms',
  );
  say(
    `${what}, longest task`,
    50,
    found.map(({ longest }) => longest),
    'ms',
  );
  say(
    `${what}, memory of the page`,
    300,
    found.map(({ megabytes }) => megabytes),
    'MB',
  );
}

const starts: number[] = [];
for (let i = 0; i < RUNS; i++) starts.push(await start());
say('start to interactive', 800, starts, 'ms');

const detector = shared('models/ssdlite320/model.onnx');
if (existsSync(detector)) await sayDrawn('ssdlite320 (1,850 nodes)', 400, [detector]);

const many = join(folder, 'many.onnx');
writeFileSync(many, decoderModel(728, 4096).model);
await sayDrawn('decoder of 16,016 nodes, closed', 1000, [many]);

const large = join(folder, 'large.onnx');
const weights = join(folder, 'weights.bin');
const made = decoderModel(32, 64 * 2 ** 20);
writeFileSync(large, made.model);
writeFileSync(weights, '');
truncateSync(weights, made.weights);
await sayDrawn(`model with ${(made.weights / 1e9).toFixed(1)} GB beside it`, 3000, [large, weights]);

await closeStudio();
rmSync(folder, { recursive: true });
