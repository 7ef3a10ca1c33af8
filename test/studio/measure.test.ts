import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { withFields } from '../../src/model/document/changed.js';
import { loadModel, saveModel } from '../../src/tools/index.js';
import { shared } from '../shared-data.js';
import { leading } from '../tier.js';
import { evenly } from '../toolkit/quantize/runs.js';
import { checkSchema, eventsOf } from '../toolkit/trace/schema.js';
import { f32 } from '../values.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('the studio measures models'), { ci: 3 });
test.after(closeStudio);

const DIGITS = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

async function measure(page: Page, model: string, runs = 5): Promise<void> {
  await openFiles(page, model);
  await page.getByRole('tab', { name: 'Measure' }).click();
  await page.getByLabel('Runs', { exact: true }).fill(`${runs}`);
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await page.getByText('Sum of steps').waitFor();
}

/** Three convolutions of some milliseconds each. */
function heavyModel(): string {
  const b = modelBuilder({ opset: 21 });
  let x = b.input('x', 'float32', [1, 32, 64, 64]);
  for (let i = 0; i < 3; i++) {
    const data = evenly(32 * 32 * 25, i);
    x = b.op('Conv', [x, b.constant(`w${i}`, f32([32, 32, 5, 5], data))], { pads: [2, 2, 2, 2] });
  }
  b.output('y', x);
  const path = join(mkdtempSync(join(tmpdir(), 'studio-')), 'heavy.onnx');
  writeFileSync(path, b.toBytes());
  return path;
}

interface Part {
  readonly thread: number;
  readonly start: number;
  readonly milliseconds: number;
  readonly tiles: number;
}

interface Report {
  readonly milliseconds: { readonly profiled: number; readonly runs: number[]; readonly median: number };
  readonly steps: readonly {
    readonly run: number;
    readonly milliseconds: number;
    readonly origins: string[];
    readonly operator: string;
    readonly multiplyAdds: number | null;
    readonly bytes: number;
    readonly tiles: number;
    readonly threads: readonly Part[];
  }[];
  readonly memory: {
    readonly peak: number;
    readonly lowerBound: number;
    readonly values: readonly Box[];
    readonly buffers: readonly Place[];
    readonly steps: number;
  };
}

async function reportOf(page: Page): Promise<Report> {
  return JSON.parse(await savedBy(page, 'JSON'));
}

/** What a button of this name saves. */
async function savedBy(page: Page, name: string): Promise<string> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name, exact: true }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

async function measureAgain(page: Page, before: Report): Promise<void> {
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await comesTo(async () => `${(await reportOf(page)).milliseconds.runs}` !== `${before.milliseconds.runs}`, true);
}

const cellsOf = async (page: Page, table: string, row: number): Promise<string[]> =>
  page.getByRole('table', { name: table }).getByRole('row').nth(row).getByRole('cell').allInnerTexts();

const models = shared('models');
test('the steps of a run are the run, and table, heat and selection agree', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, join(models, 'mobilenet_v2', 'model.onnx'));
  const report = await reportOf(page);
  assert.is(report.milliseconds.runs.length, 5);
  assert.ok(report.steps.every(({ origins }) => origins.length > 0));
  const trace = await savedBy(page, 'Trace');
  checkSchema(trace, report.steps);
  assert.is(eventsOf(trace).filter(({ ph }) => ph === 'C').length, report.memory ? report.steps.length + 1 : 0);
  await page.getByLabel(/^Group by/).selectOption('node');
  const [name, operator] = await cellsOf(page, 'Costs by node', 1);
  await page.getByRole('button', { name: name as string, exact: true }).click();
  assert.match(await page.getByRole('complementary', { name: 'Details' }).innerText(), new RegExp(operator as string));
  assert.equal(problems, []);
  await close();
});

/** Rows of comma-separated values, as Python reads them. */
const READ = 'import csv, json, sys; print(json.dumps(list(csv.reader(open(sys.argv[1], newline=""), strict=True))))';
const hasPython = spawnSync('python3', ['-c', '']).status === 0;

if (hasPython)
  test('costs as CSV are the table, whatever nodes are called', async () => {
    const b = modelBuilder({ opset: 21 });
    const names = ['a, "b"', 'two\nlines', '=1+1', "ünïcode;\t'", '""'];
    const x = b.input('x', 'float32', [64, 64]);
    b.output(
      'y',
      names.reduce((last) => b.op('MatMul', [last, last]), x),
    );
    const folder = mkdtempSync(join(tmpdir(), 'studio-'));
    const model = await loadModel(b.toBytes());
    const { graph } = model.proto;
    const node = (graph?.node ?? []).map((one, i) => withFields(one, { name: names[i] as string }));
    const proto = withFields(model.proto, { graph: graph && withFields(graph, { node }) });
    writeFileSync(join(folder, 'names.onnx'), await saveModel({ ...model, proto, original: undefined }));
    const { page, problems, close } = await openStudio();
    await measure(page, join(folder, 'names.onnx'), 1);
    await page.getByLabel(/^Group by/).selectOption('node');
    await page.getByRole('table', { name: 'Costs by node' }).waitFor();
    writeFileSync(join(folder, 'costs.csv'), await savedBy(page, 'CSV'));
    const [head = [], ...rows] = JSON.parse(
      spawnSync('python3', ['-c', READ, join(folder, 'costs.csv')], { encoding: 'utf8' }).stdout,
    ) as string[][];
    const { steps } = JSON.parse(await savedBy(page, 'JSON')) as Report;
    assert.equal(head.slice(0, 4), ['Name', 'Kind', 'Steps', 'ms']);
    assert.equal(rows.map(([name]) => name).sort(), names.toSorted());
    for (const row of rows) {
      assert.is(row.length, head.length);
      const own = steps.filter(({ origins }) => origins.join() === `${names.indexOf(row[0] as string)}`);
      assert.equal(row.slice(1, 3), ['MatMul', `${own.length}`], row[0]);
      const milliseconds = own.reduce((sum, step) => sum + step.milliseconds, 0);
      assert.ok(own.length > 0 && Math.abs(Number(row[3]) - milliseconds) < 1e-9, `${row} ${milliseconds}`);
    }
    assert.equal(problems, []);
    await close();
  });

/** What the report's longest part of another thread than the caller's is, and the step that it is of, which both worked on. */
function partElsewhere({ steps }: Report) {
  const parts = steps.flatMap((step) => step.threads.map((part) => ({ step, part })));
  const elsewhere = parts.filter(({ step, part }) => part.thread === 1 && step.threads.length > 1);
  const [longest] = elsewhere.sort((a, b) => b.part.milliseconds - a.part.milliseconds);
  const end = Math.max(...parts.map(({ part }) => part.start + part.milliseconds));
  return longest && { ...longest, end };
}

/** Measures until a second thread has had a core. */
async function sharedReport(page: Page, times = 100): Promise<Report> {
  const report = await reportOf(page);
  if (partElsewhere(report) || times === 1) return report;
  await measureAgain(page, report);
  return sharedReport(page, times - 1);
}

test('the timeline has a row for each thread, and says what it did of a step', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, heavyModel());
  await page.getByRole('tab', { name: 'Measure' }).click();
  await page.getByLabel('Threads').first().selectOption('2');
  await page.getByRole('button', { name: 'Measure', exact: true }).click();
  await page.getByText('Sum of steps').waitFor();
  const report = await sharedReport(page);
  for (const { tiles, threads } of report.steps)
    assert.is(
      threads.reduce((sum, part) => sum + part.tiles, 0),
      tiles,
    );
  const found = partElsewhere(report);
  assert.ok(found, 'a second thread has worked');
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const picture = page.getByRole('img', { name: /^Timeline of/ });
  const box = (await picture.boundingBox()) as { x: number; y: number; width: number; height: number };
  const [axis, row, left] = [22, 34, 60];
  const { step, part, end } = found;
  const x = left + ((box.width - left) * (part.start + part.milliseconds / 2)) / end;
  await page.mouse.move(box.x + x, box.y + axis + 1.5 * row);
  await page.getByText(`${part.tiles} of ${step.tiles} tiles here`).waitFor();
  assert.equal(problems, []);
  await close();
});

test('a range of the timeline that is dragged over is summed; a click clears it', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, heavyModel());
  const { steps } = await reportOf(page);
  await page.getByRole('tab', { name: 'Timeline' }).click();
  const box = await page.getByRole('img', { name: /^Timeline of/ }).boundingBox();
  assert.ok(box);
  const [row, left] = [34, 60];
  const ends = steps.flatMap(({ threads }) => threads.map(({ start, milliseconds }) => start + milliseconds));
  const at = (time: number) => box.x + left + ((box.width - left) * time) / Math.max(...ends);
  const [, second, third] = steps.filter(({ operator }) => operator === 'Conv');
  assert.ok(second && third);
  const [from, to] = [second, third].map(({ threads }) => {
    const [{ start, milliseconds }] = threads as [Part];
    return at(start + milliseconds / 2);
  }) as [number, number];
  await page.mouse.move(from, box.y + row);
  await page.mouse.down();
  await page.mouse.move((from + to) / 2, box.y + row, { steps: 3 });
  await page.mouse.move(to, box.y + row);
  await page.mouse.up();
  const range = page.getByRole('region', { name: 'Selected range' });
  const count = steps.indexOf(third) - steps.indexOf(second) + 1;
  await comesTo(() => range.innerText(), new RegExp(`^${count} steps in `));
  const sum = second.milliseconds + third.milliseconds;
  const [name, , times, milliseconds] = await cellsOf(page, 'Costs in the range', 1);
  assert.equal([name, times], ['Conv', '2']);
  assert.ok(Math.abs(Number(milliseconds) - sum) < 0.01 * sum, `${milliseconds}: ${sum}`);
  assert.is(await page.getByRole('complementary', { name: 'Details' }).count(), 0, 'a drag is no click');
  await page.mouse.click(from, box.y + row);
  await range.waitFor({ state: 'detached' });
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Conv' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('the memory picture is the plan: each buffer a rectangle, none over another', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, DIGITS);
  const { memory } = await reportOf(page);
  await page.getByRole('tab', { name: 'Memory' }).click();
  const table = page.getByRole('table', { name: 'Buffers' });
  await table.getByRole('cell').first().waitFor();
  const rows = await table.getByRole('row').all();
  const shown = await Promise.all(rows.slice(1).map((row) => row.getByRole('cell').allInnerTexts()));
  const boxes = shown.map(([name = '', , ...numbers]) => ({
    name,
    ...named(numbers.map((text) => Number(text.replaceAll(',', '')))),
  }));
  const inOrder = (list: readonly Place[]) => list.map(placeOf).sort();
  assert.equal(inOrder(boxes), inOrder(memory.buffers));
  for (const value of memory.values)
    assert.ok(
      boxes.some((box) => holds(box, value)),
      value.name,
    );
  for (const [i, a] of boxes.entries())
    for (const b of boxes.slice(i + 1)) assert.not(meet(a, b), `${a.name} ${b.name}`);
  assert.is(Math.max(...boxes.map(({ offset, bytes }) => offset + bytes)), memory.peak);
  await comesTo(() => page.getByText(/^Peak/).innerText(), /lower bound/);
  await clickRectangle(page, boxes.find(({ name }) => name === '/MaxPool_1_output_0') as Box, memory);
  assert.equal(problems, []);
  await close();
});

interface Place {
  readonly offset: number;
  readonly bytes: number;
  readonly first: number;
  readonly last: number;
}

interface Box extends Place {
  readonly name: string;
}

const placeOf = ({ offset, bytes, first, last }: Place): string => `${offset} ${bytes} ${first} ${last}`;

const named = ([offset = 0, bytes = 0, first = 0, last = 0]: number[]) => ({ offset, bytes, first, last });

const holds = (box: Box, value: Box): boolean =>
  box.offset <= value.offset &&
  value.offset + value.bytes <= box.offset + box.bytes &&
  box.first <= value.first &&
  box.last >= value.last;

const meet = (a: Box, b: Box): boolean =>
  a.first <= b.last && b.first <= a.last && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;

/** A click in the middle of a rectangle of the picture selects its value in the graph. */
async function clickRectangle(
  page: Page,
  { name, offset, bytes, first, last }: Box,
  memory: Report['memory'],
): Promise<void> {
  const canvas = await page.getByRole('img', { name: /^Memory plan/ }).boundingBox();
  assert.ok(canvas);
  const steps = memory.steps + 2;
  const [left, foot, top] = [64, 20, 8];
  const x = canvas.x + left + ((canvas.width - left) * (first + last + 1)) / 2 / steps;
  const y = canvas.y + canvas.height - foot - ((canvas.height - foot - top) * (offset + bytes / 2)) / memory.peak;
  await page.mouse.click(x, y);
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name }).waitFor();
}

const HEATS = [
  ['Time', 'ms'],
  ['Multiply-adds', 'Multiply-adds'],
  ['Bytes moved', 'Bytes'],
  ['GFLOP/s', 'GFLOP/s'],
] as const;

/** A time in the unit of the table; whatever else as it is. */
const inMilliseconds = (figure: string): string =>
  /^[\d.e-]+ (µs|ms)$/.test(figure)
    ? `${Number((Number.parseFloat(figure) * (figure.endsWith('µs') ? 1e-3 : 1)).toPrecision(3))} ms`
    : figure;

test('the graph is coloured by each figure, up to what the table of nodes says', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, DIGITS);
  await page.getByLabel(/^Group by/).selectOption('node');
  const table = page.getByRole('table', { name: 'Costs by node' });
  const headings = ['Name', 'Kind', 'Steps', 'ms', 'Share', 'Multiply-adds', 'Bytes', 'GFLOP/s'];
  for (const [heat, column] of HEATS) {
    await page.getByLabel(/^Color graph by/).selectOption({ label: heat });
    const heading = table.getByRole('columnheader', { name: column });
    if ((await heading.getAttribute('aria-sort')) !== 'descending') await heading.getByRole('button').click();
    await comesTo(() => heading.getAttribute('aria-sort'), 'descending');
    const legend = page.getByRole('img', { name: `Colors: ${heat}, ` });
    const figure = async () =>
      /, up to (.*) per node$/.exec((await legend.getAttribute('aria-label')) ?? '')?.[1] ?? '';
    const unit = column === 'ms' ? ' ms' : column === 'GFLOP/s' ? ' GFLOP/s' : '';
    const most = (await cellsOf(page, 'Costs by node', 1))[headings.indexOf(column)] as string;
    await comesTo(async () => inMilliseconds(await figure()), inMilliseconds(`${most}${unit}`), heat);
  }
  assert.equal(problems, []);
  await close();
});

/** Powers of ten around figures. */
const around = (values: readonly number[]) =>
  [Math.floor(Math.min(...values)), Math.ceil(Math.max(...values) + 0.1)] as const;

test('the roofline has a point for each step that multiplies, below what this machine can do', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, heavyModel());
  const steps = (await reportOf(page)).steps.filter(({ multiplyAdds }) => (multiplyAdds ?? 0) > 0);
  const [xs, ys] = [
    steps.map(({ multiplyAdds, bytes }) => Math.log10((2 * (multiplyAdds as number)) / bytes)),
    steps.map(({ multiplyAdds, milliseconds }) => Math.log10((2 * (multiplyAdds as number)) / (milliseconds * 1e6))),
  ];
  await page.getByRole('tab', { name: 'Roofline' }).click();
  const picture = page.getByRole('img', { name: `Roofline of ${steps.length} steps` });
  const box = (await picture.boundingBox()) as { x: number; y: number; width: number; height: number };
  const [[left, right], [low, high]] = [around(xs), around(ys)];
  const [margin, head, foot] = [52, 26, 34];
  const x = box.x + margin + ((box.width - margin - 8) * ((xs[0] as number) - left)) / (right - left);
  const y = box.y + box.height - foot - ((box.height - foot - head) * ((ys[0] as number) - low)) / (high - low);
  await page.mouse.move(x, y);
  await page.getByText(/Conv .* GFLOP\/s at [\d.]+ FLOP\/byte/).waitFor();
  await page.mouse.click(x, y);
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Conv' }).waitFor();
  await page.getByRole('button', { name: 'Measure this machine' }).click();
  const roof = page.getByText(/GFLOP\/s and [\d.]+ GB\/s, best of 7/);
  await roof.waitFor();
  assert.ok(Number.parseFloat(await roof.innerText()) > 0);
  assert.equal(problems, []);
  await close();
});

test('two settings run in turn, and onnxruntime-web beside', async () => {
  const { page, problems, close } = await openStudio();
  await measure(page, DIGITS, 10);
  const beside = page.getByRole('region', { name: 'Compare with' });
  await beside.getByLabel('Optimization').selectOption('disabled');
  await beside.getByRole('button', { name: 'Compare' }).click();
  await beside.getByText(/The second takes/).waitFor();
  await comesTo(() => beside.getByRole('table', { name: 'Times compared' }).innerText(), /not optimized/);
  await beside.getByLabel('With').selectOption('onnxruntime-web');
  const button = beside.getByRole('button', { name: 'Compare' });
  const missing = beside.getByText('onnxruntime-web is not installed');
  await comesTo(async () => (await button.isEnabled()) || (await missing.isVisible()), true);
  if (await button.isEnabled()) {
    await button.click();
    await beside.getByText(/onnxruntime-web 1\./).waitFor();
    const [own, theirs] = (
      await beside.getByRole('table', { name: 'Times compared' }).getByRole('row').allInnerTexts()
    ).slice(1);
    assert.match(`${own} ${theirs}`, /m?s.*m?s/s);
    await comesTo(() => beside.innerText(), /The second takes [\d.]+/);
  } else await beside.getByText('npm install onnxruntime-web').waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
