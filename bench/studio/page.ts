// Time of the studio's page to start and to draw, and its memory, in headless Chromium without a GPU. Times are medians of five, from when
// the page has the files to the first frame of the drawing, in a page that has been open for a while, as when people drop a file. The
// longest task and the work of all threads until then are in processor time, because wall time is unreliable on a machine with other load.
// usage: npm run studio:build && npm run bench:studio
import { existsSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serveStudio } from '../../studio/server.js';
import { drawFirst } from '../../test/studio/first-drawing.js';
import { launch, type Page, PLAIN_DIALOGS, shared } from '../../test/studio/studio-page.js';
import { decoderModel } from './decoder.js';
import { longestTask } from './longest-task.js';

const RUNS = 5;

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
const server = await serveStudio();
/** Without this flag, memory is only measured after the next garbage collection. */
const browser = await launch(['--enable-blink-features=ForceEagerMeasureMemory']);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

function say(what: string, unit: string, found: readonly number[]): void {
  const [least, most] = [Math.min(...found), Math.max(...found)];
  const span = found.length > 1 ? ` (${least.toFixed(0)} … ${most.toFixed(0)})` : '';
  console.log(`${what}, ${unit}: ${median(found).toFixed(0)}${span}`);
}

async function inPage<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.addInitScript(PLAIN_DIALOGS);
  await page.goto(server.address);
  await page.getByRole('banner').waitFor();
  const found = await work(page);
  await context.close();
  return found;
}

const start = (page: Page) => page.evaluate<number>(`performance.getEntriesByName('interactive')[0].startTime`);

/** The longest task of the page's thread until a second after the drawing, when types are known. */
const longest = (page: Page, paths: readonly string[]): Promise<number> =>
  longestTask(page, async () => {
    await drawFirst(page, paths);
    await page.waitForTimeout(1000);
  });

/** Megabytes of the page and its workers. */
async function megabytes(page: Page, paths: readonly string[]): Promise<number> {
  await drawFirst(page, paths);
  await page.waitForTimeout(1000);
  const asked = 'performance.measureUserAgentSpecificMemory().then((found) => found.bytes)';
  return (await page.evaluate<number>(asked)) / 1e6;
}

async function several<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const found: T[] = [];
  for (let i = 0; i < count; i++) found.push(await make());
  return found;
}

async function sayDrawn(what: string, asked: number, paths: readonly string[]): Promise<void> {
  const drawn = await several(RUNS, () => inPage((page) => drawFirst(page, paths)));
  say(
    `${what}, first drawing`,
    `asked ≤ ${asked} ms`,
    drawn.map(({ clock }) => clock),
  );
  say(
    `${what}, the processor until then`,
    'ms',
    drawn.map(({ processor }) => processor),
  );
  say(`${what}, longest task`, 'asked ≤ 50 ms', await several(RUNS, () => inPage((page) => longest(page, paths))));
  say(`${what}, memory of the page`, 'asked ≤ 300 MB', [await inPage((page) => megabytes(page, paths))]);
}

say('start to interactive', 'asked ≤ 800 ms', await several(RUNS, () => inPage(start)));

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

await browser.close();
server.close();
rmSync(folder, { recursive: true });
