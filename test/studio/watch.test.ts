import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log/index.js';
import { leading } from '../tier.js';
import { expected, file } from './logs/logged.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite('studio/watch'), { ci: 2 });
const root = mkdtempSync(join(tmpdir(), 'sardonyx-watch-'));
test.after(async () => {
  rmSync(root, { recursive: true });
  await closeStudio();
});

const STEPS = 400;
const lossOf = (run: number, step: number) => Math.fround(Math.exp(-step / (80 + 40 * run)));
const pixelsOf = (step: number) => Uint8Array.from({ length: 8 * 8 * 3 }, (_, i) => (i * (step + 3)) & 255);
const HTML = '<img src=x onerror="document.title=1"><script>alert(1)</script> **bold**';
const LABELS = [1, 1, 0, 1, 0, 0];
const PREDICTIONS = [0.9, 0.8, 0.7, 0.4, 0.3, 0.1];

/** Two runs with a value of every kind. */
async function writeRuns(folder: string): Promise<void> {
  for (const [k, name] of ['adam', 'sgd'].entries()) {
    const log = createLog(join(folder, name), { clock: () => 1.7e9 + k });
    log.hparams({ rate: 0.1 / (k + 1), optimizer: name }, { metrics: ['loss/train'] });
    for (let step = 0; step < STEPS; step++) log.scalar('loss/train', lossOf(k, step), step);
    for (const [step, value] of [1, Number.NaN, 3].entries()) log.scalar('odd', value, step);
    for (let step = 0; step < 3; step++) {
      log.histogram(
        'weights',
        Float32Array.from({ length: 101 }, (_, i) => (i / 50 - 1) * (step + 1)),
        step * 10,
      );
      log.image('picture', { data: pixelsOf(step), width: 8, height: 8 }, step);
      log.text('notes', `${HTML} ${step}`, step);
    }
    log.prCurve('cat', LABELS, PREDICTIONS, 0);
    await log.close();
  }
  writePoints(join(folder, 'adam/00007/words'));
}

/** As PyTorch's writer leaves embeddings beside its logs. */
function writePoints(place: string): void {
  mkdirSync(place, { recursive: true });
  const rows = Array.from({ length: 30 }, (_, i) => [Math.sin(i), Math.cos(i), i / 30].join('\t'));
  writeFileSync(join(place, 'tensors.tsv'), rows.join('\n'));
  writeFileSync(join(place, 'metadata.tsv'), rows.map((_, i) => `word ${i}`).join('\n'));
}

const folder = join(root, 'runs');
await writeRuns(folder);

/** The panel with the logs of a folder, chosen as where no handles are to be had. */
async function watching(path: string, setting = {}) {
  const studio = await openStudio(setting);
  await studio.page.evaluate('window.showDirectoryPicker = undefined');
  await studio.page.getByRole('tab', { name: 'Watch' }).click();
  const chooser = studio.page.waitForEvent('filechooser');
  await studio.page.getByRole('button', { name: 'Open log folder' }).click();
  await (await chooser).setFiles(path);
  await studio.page.getByRole('tablist', { name: 'Value types' }).waitFor();
  return studio;
}

const figure = (page: Page, name: string) => page.getByRole('figure', { name, exact: true });
const drawn = (page: Page, name: string) => figure(page, name).locator('.plot[data-drawn]');
/** From where to where it is drawn, and how many lines. */
const drawnAs = async (page: Page, name: string) =>
  ((await drawn(page, name).getAttribute('data-drawn')) ?? '').split(' ').map(Number);

test('scalars: lines, last values, runs to choose, and the points as CSV', async () => {
  const { page, problems, close } = await watching(folder);
  await drawn(page, 'loss/train').waitFor();
  assert.equal(await drawnAs(page, 'loss/train'), [0, STEPS - 1, 2]);
  const values = figure(page, 'loss/train').getByRole('table');
  await comesTo(() => values.innerText(), /adam\s+0\.00682\s+400 points\s+sgd\s+0\.0360\s+400 points/);
  await comesTo(() => figure(page, 'odd').getByRole('table').innerText(), /adam\s+3\.00\s+1 not finite/);

  await page.getByRole('checkbox', { name: 'adam' }).uncheck();
  await page.waitForFunction(() => document.querySelector('.plot')?.getAttribute('data-drawn')?.endsWith(' 1'));
  await comesTo(async () => /adam/.test(await values.innerText()), false);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV of loss/train' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8').split('\n');
  assert.equal(csv.slice(0, 3), [
    'run,tag,step,wall_time,value',
    'runs/sgd,loss/train,0,1700000001,1',
    `runs/sgd,loss/train,1,1700000001,${lossOf(1, 1)}`,
  ]);
  assert.is(csv.length, STEPS + 2);

  // Groups fold, pinned cards come first, and a run has the color that is chosen for it.
  const group = page.locator('.group').filter({ hasText: 'loss/train' });
  await group.locator('summary').click();
  await drawn(page, 'loss/train').waitFor({ state: 'hidden' });
  await group.locator('summary').click();
  await page.getByRole('button', { name: 'Pin odd' }).click();
  await comesTo(() => page.locator('.group').first().innerText(), /^Pinned[\s\S]*odd/);
  await page.getByLabel('Color of sgd').fill('#ff0000');
  await comesTo(() => page.locator('.values .swatch path').first().getAttribute('style'), /rgb\(255, 0, 0\)|#ff0000/);

  await page.getByRole('searchbox', { name: 'Filter tags' }).fill('od');
  await comesTo(() => page.getByRole('figure').count(), 1);
  assert.equal(problems, []);
  await close();
});

test('scalars: dragging zooms, and all is shown again; time and logarithm', async () => {
  const { page, problems, close } = await watching(folder);
  await drawn(page, 'loss/train').waitFor();
  const over = await figure(page, 'loss/train').locator('.u-over').boundingBox();
  assert.ok(over);
  const [left, middle] = [over.x + over.width / 4, over.y + over.height / 2];
  await page.mouse.move(left, middle);
  await page.mouse.down();
  await page.mouse.move(left + over.width / 4, middle, { steps: 4 });
  await page.mouse.up();
  await figure(page, 'loss/train').getByRole('button', { name: 'Show all' }).waitFor();
  await page.waitForFunction(() => !document.querySelector('.plot')?.getAttribute('data-drawn')?.startsWith('0 '));
  const [from, to] = (await drawnAs(page, 'loss/train')) as [number, number];
  assert.ok(Math.abs(from - 100) < 6 && Math.abs(to - 200) < 6, `${from} to ${to}`);
  await figure(page, 'loss/train').getByRole('button', { name: 'Show all' }).click();
  await page.waitForFunction(() => document.querySelector('.plot')?.getAttribute('data-drawn')?.startsWith('0 '));

  await page.getByRole('checkbox', { name: 'Log scale' }).check();
  await page.getByLabel('Horizontal axis').selectOption('wall');
  await page.waitForFunction(() => document.querySelector('.plot')?.getAttribute('data-drawn')?.startsWith('17000000'));
  assert.equal(problems, []);
  await close();
});

test('histograms: what lies where, as ridges and as bands', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Histograms' }).click();
  const label = 'weights: 3 steps, values from -3 to 3';
  await figure(page, 'weights, adam').getByRole('img', { name: label }).waitFor();
  await figure(page, 'weights, adam').getByText('Values').click();
  await comesTo(() => figure(page, 'weights, adam').getByRole('row').count(), 1 + 3);
  const rows = await figure(page, 'weights, adam').getByRole('row').allInnerTexts();
  const numbers = rows.map((row) => row.split('\t').map(Number));
  for (const [i, [step, least, middle, largest]] of numbers.slice(1).entries()) {
    assert.equal([step, least, largest], [10 * i, -1 - i, 1 + i]);
    assert.ok(Math.abs(middle as number) < 0.05 * (i + 1), `${middle}`);
  }
  await comesTo(async () => (await inked(page, 'weights, adam')) > 1000, true);
  const before = await inked(page, 'weights, adam');
  await page.getByRole('button', { name: 'Distributions' }).click();
  const isAnother = (after: number) => after > 1000 && after !== before;
  await comesTo(async () => isAnother(await inked(page, 'weights, adam')), true);
  assert.equal(problems, []);
  await close();
});

/** How many pixels of a drawing are not empty. */
const inked = (page: Page, name: string): Promise<number> =>
  figure(page, name)
    .locator('canvas')
    .evaluate((element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = (canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(
        0,
        0,
        canvas.width,
        canvas.height,
      );
      return data.filter((value, i) => i % 4 === 3 && value > 0).length;
    });

test('images: the pixels of the step that is chosen', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Images' }).click();
  const picture = figure(page, 'picture, adam');
  await picture.getByRole('img', { name: 'picture at step 2' }).waitFor();
  await picture.getByRole('slider').fill('1');
  const shown = picture.getByRole('img', { name: 'picture at step 1' });
  await shown.waitFor();
  const pixels = () =>
    shown.evaluate((element) => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d') as CanvasRenderingContext2D;
      context.drawImage(element as HTMLImageElement, 0, 0);
      return [...context.getImageData(0, 0, 8, 8).data].filter((_, i) => i % 4 < 3);
    });
  await comesTo(pixels, [...pixelsOf(1)]);
  assert.equal(problems, []);
  await close();
});

test('the source of texts is shown as it is, and nothing in them runs', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Text' }).click();
  const notes = figure(page, 'notes, sgd');
  await page.getByLabel('Show Markdown source').check();
  await notes.getByText(`${HTML} 2`, { exact: true }).waitFor();
  await comesTo(() => notes.locator('img, script').count(), 0);
  assert.match(await page.title(), /Sardonyx/);
  assert.equal(problems, []);
  await close();
});

test('hyperparameters: a table that sorts, and a line for each run', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Hyperparameters' }).click();
  const rows = () => page.getByRole('tabpanel').getByRole('row').allInnerTexts();
  const cells = (row: string) => row.split('\t').map((cell) => cell.trim());
  await comesTo(
    async () => (await rows()).map(cells),
    [
      ['Run', 'optimizer', 'rate', 'loss/train'],
      ['adam', 'adam', '0.1', `${Number(lossOf(0, 399).toPrecision(6))}`],
      ['sgd', 'sgd', '0.05', `${Number(lossOf(1, 399).toPrecision(6))}`],
    ].map((row) => (row[0] === 'Run' ? ['Run', 'rate', 'optimizer', 'loss/train'] : [row[0], row[2], row[1], row[3]])),
  );
  await page.getByRole('button', { name: 'loss/train' }).click();
  const first = async () => cells((await rows())[1] ?? '')[0];
  await comesTo(first, 'sgd');
  await page.getByRole('button', { name: 'loss/train' }).click();
  await comesTo(first, 'adam');
  const lines = page.getByRole('img', { name: '2 runs over rate, optimizer, loss/train' });
  await comesTo(() => lines.locator('path').count(), 2);
  assert.equal(problems, []);
  await close();
});

/** The mean precision over the places of those that are so, by the trapezium rule over all thresholds. */
function area(): number {
  const points = Array.from({ length: 201 }, (_, i) => {
    const taken = PREDICTIONS.map((p) => Math.floor(p * 200) >= i);
    const right = taken.filter((is, k) => is && LABELS[k]).length;
    return [right / 3, right / taken.filter(Boolean).length] as const;
  }).filter(([, precision]) => !Number.isNaN(precision));
  return points.slice(1).reduce((sum, [x, y], i) => {
    const [left, height] = points[i] as readonly [number, number];
    return sum + ((left - x) * (y + height)) / 2;
  }, 0);
}

test('precision over recall', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Curves' }).click();
  const curve = figure(page, 'cat, precision and recall');
  await curve.getByText('under the curve').first().waitFor();
  await comesTo(() => curve.getByRole('table').innerText(), new RegExp(`adam\\s+${area().toFixed(3)} under the curve`));
  await comesTo(() => curve.locator('svg.square path').count(), 3);
  assert.equal(problems, []);
  await close();
});

test("VisualDL's logs: dropped on the page they open the panel; points are laid out and found", async () => {
  const { page, problems, close } = await openStudio();
  const bytes = [...file('vdlrecords.1700000000.log')];
  await page.evaluate((given) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array(given)], 'vdlrecords.1700000000.log'));
    document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, bytes);
  await drawn(page, 'loss').waitFor();
  await comesTo(() => figure(page, 'several/two').getByRole('table').innerText(), /by VisualDL\s+1\.00\s+5 points/);
  await page.getByRole('tab', { name: 'Projector' }).click();
  const words = figure(page, 'words, by VisualDL');
  await words.getByText('6 points; the axes show').waitFor();
  await words.getByRole('searchbox', { name: 'Find label' }).fill('c');
  await words.getByText('1 found: c').waitFor();
  await words.getByRole('searchbox', { name: 'Find label' }).fill('');
  await words.getByLabel('By').selectOption('umap');
  await words.getByText('6 points', { exact: true }).waitFor();
  await comesTo(async () => (await inked(page, 'words, by VisualDL')) > 300, true);
  await page.getByRole('tab', { name: 'Audio' }).click();
  const sound = figure(page, 'sound, by VisualDL').locator('audio');
  await sound.waitFor();
  await page.waitForFunction(() => (document.querySelector('audio') as HTMLAudioElement).duration > 0);
  assert.is(await sound.evaluate((element) => (element as HTMLAudioElement).duration), 0.01);
  await page.getByRole('tab', { name: 'Curves' }).click();
  await figure(page, 'roc, ROC').waitFor();
  assert.is(expected.labels.length, 6);
  assert.equal(problems, []);
  await close();
});

test('points beside a log are laid out, and found by their labels', async () => {
  const { page, problems, close } = await watching(folder);
  await page.getByRole('tab', { name: 'Projector' }).click();
  const words = figure(page, 'words, adam');
  await words.getByText('Step 7').waitFor();
  await words.getByText('30 points; the axes show').waitFor();
  await words.getByRole('searchbox', { name: 'Find label' }).fill('word 2');
  await words.getByText('11 found: word 2, word 20').waitFor();
  assert.equal(problems, []);
  await close();
});

test('a folder of which there is a handle is followed: files grow, and new ones come', async () => {
  const { page, problems, close } = await openStudio();
  const bytes = file('torch.tfevents');
  await page.evaluate(putFile, { path: 'first/events.tfevents', bytes: [...bytes.subarray(0, 200)] });
  await page.evaluate('window.showDirectoryPicker = () => navigator.storage.getDirectory()');
  await page.getByRole('tab', { name: 'Watch' }).click();
  await page.getByRole('button', { name: 'Open log folder' }).click();
  await page.getByText('1 run, updating as the logs grow').waitFor();
  await page.evaluate(putFile, { path: 'first/events.tfevents', bytes: [...bytes] });
  await page.evaluate(putFile, { path: 'second/events.tfevents', bytes: [...bytes] });
  await page.getByText('30 points, 2 runs').waitFor();
  await drawn(page, 'loss').waitFor();
  assert.equal(problems, []);
  await close();
});

/** Writes a file in OPFS. */
async function putFile({ path, bytes }: { path: string; bytes: number[] }): Promise<void> {
  const [folder, name] = path.split('/') as [string, string];
  const place = await (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
  const writable = await (await place.getFileHandle(name, { create: true })).createWritable();
  await writable.write(new Uint8Array(bytes));
  await writable.close();
}

test('damaged files are said to be so, and the rest is shown', async () => {
  const bytes = file('torch.tfevents');
  const damaged = bytes.slice();
  damaged[damaged.length - 10] = (damaged.at(-10) as number) ^ 1;
  for (const [name, content] of Object.entries({
    damaged,
    cut: bytes.subarray(0, 500),
    nothing: new Uint8Array(),
    noise: Uint8Array.from({ length: 900 }, (_, i) => (i * 37) & 255),
  }))
    writeFileSync(join(root, `${name}.tfevents`), content);
  const { page, problems, close } = await openStudio();
  await page.getByRole('tab', { name: 'Watch' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open log files' }).click();
  await (await chooser).setFiles(['damaged', 'cut', 'nothing', 'noise'].map((name) => join(root, `${name}.tfevents`)));
  const said = () => page.getByRole('list', { name: 'Problems' }).innerText();
  await comesTo(said, /damaged\.tfevents: corrupt records skipped: 1/);
  await comesTo(said, /noise\.tfevents: the record length at byte 0 is corrupt/);
  await comesTo(() => page.getByRole('region', { name: 'Watch' }).innerText(), /4 runs/);
  await drawn(page, 'loss').waitFor();
  assert.equal(problems, []);
  await close();
});

const RUNS = 20;
const POINTS = 50_000;

/** A million points: runs of five heights, each of which is there four times. */
async function writeMany(folder: string): Promise<void> {
  for (let run = 0; run < RUNS; run++) {
    const [original, copy] = [run % 5, join(folder, `run-${run}`)];
    if (run >= 5) cpSync(join(folder, `run-${original}`), copy, { recursive: true });
    else await writeOne(copy, run);
  }
}

async function writeOne(folder: string, height: number): Promise<void> {
  const log = createLog(folder);
  for (let i = 0; i < POINTS; i++)
    log.scalar('loss', Math.exp(-i / 9000) * (1 + height / 2) + (((i * 7919) % 101) / 101) * 0.05, i);
  await log.close();
}

test('a million points in 20 runs are drawn, and zoomed into', async () => {
  const many = join(root, 'many');
  await writeMany(many);
  const { page, problems, close } = await watching(many);
  await drawn(page, 'loss').waitFor();
  await comesTo(() => page.getByRole('region', { name: 'Watch' }).innerText(), /1\.00 M points, 20 runs/);
  const over = await figure(page, 'loss').locator('.u-over').boundingBox();
  assert.ok(over);
  for (let i = 0; i < 3; i++) {
    const before = await drawn(page, 'loss').getAttribute('data-drawn');
    await page.mouse.move(over.x + over.width * 0.2, over.y + 50);
    await page.mouse.down();
    await page.mouse.move(over.x + over.width * 0.8, over.y + 60, { steps: 3 });
    await page.mouse.up();
    await page.waitForFunction((old) => document.querySelector('.plot')?.getAttribute('data-drawn') !== old, before);
  }
  assert.equal(problems, []);
  await close();
});

const axe = readFileSync(new URL('../../studio/node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

for (const setting of [
  { scheme: 'light', width: 1440 },
  { scheme: 'dark', width: 390 },
  { forcedColors: true, width: 1024 },
] as const)
  test(`nothing that axe finds, ${JSON.stringify(setting)}`, async () => {
    const { page, problems, close } = await watching(folder, setting);
    const tabs = await page.getByRole('tablist', { name: 'Value types' }).getByRole('tab').allInnerTexts();
    assert.equal(tabs, ['Scalars', 'Histograms', 'Images', 'Text', 'Hyperparameters', 'Curves', 'Projector']);
    await page.evaluate(axe);
    for (const name of tabs) {
      await page.getByRole('tab', { name, exact: true }).click();
      await stays(page, '.side');
      const found = (await page.evaluate("axe.run('.side').then(({ violations }) => violations)")) as Violation[];
      assert.equal(
        found.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`),
        [],
      );
    }
    const body = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(body <= setting.width, `the page is ${body} pixels wide`);
    assert.equal(problems, []);
    await close();
  });

test.run();
