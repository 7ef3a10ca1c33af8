import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, type OptimizationLevel } from '../../src/index.js';
import { generatedFeeds } from '../../src/tools/generated-feeds.js';
import { serveStudio } from '../../studio/server.js';
import { shared } from '../shared-data.js';
import { leading } from '../tier.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, PATIENCE } from './waiting.js';

const test = leading(suite('the studio explains models'), { ci: 1 });
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-understand-'));
test.after(async () => {
  await closeStudio();
  rmSync(folder, { recursive: true });
});

async function openUnderstand(page: Page, model: string, view: string): Promise<void> {
  await openFiles(page, model);
  const tab = page.getByRole('tab', { name: 'Understand' });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  await page.getByRole('tab', { name: view, exact: true }).click();
}

/** √(x − 1) is NaN for x below 1, log(0) infinite. */
function modelWithNaN(): string {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', [4]);
  const one = b.op('Exp', [b.op('Sub', [x, x])]);
  const root = b.op('Sqrt', [b.op('Sub', [x, one], { name: 'less' })], { name: 'root' });
  b.output('y', b.op('Mul', [b.op('Exp', [root]), x]));
  const path = join(folder, 'nan.onnx');
  writeFileSync(path, b.toBytes());
  return path;
}

test('the first place of NaN is said, shown and marked', async () => {
  const { page, problems, close } = await openStudio();
  await openUnderstand(page, modelWithNaN(), 'Values');
  await page.getByRole('button', { name: 'Capture' }).click();
  const status = page.getByRole('status').filter({ hasText: 'First in' });
  await status.waitFor();
  await comesTo(() => status.innerText(), /computed by Sqrt: 4 NaN of 4/);
  await status.getByRole('button', { name: 'Show' }).click();
  await comesTo(() => page.getByRole('complementary', { name: 'Details' }).innerText(), /Sqrt/);
  const table = page.getByRole('table', { name: 'Values in this run' });
  await table.getByRole('button', { name: 'x', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'x' });
  await dialog.getByText('float32[4]').waitFor();
  const { x } = generatedFeeds([{ name: 'x', isTensor: true, type: 'float32', shape: [4] }]);
  const [first = 0] = (x as { data: Float32Array }).data;
  await dialog.getByText(first.toPrecision(4).slice(0, 5)).first().waitFor();
  assert.equal(problems, []);
  await close();
});

const DIGITS = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));
const hasPeer = existsSync(new URL('../../bench/node_modules/onnxruntime-web', import.meta.url));
const BUILT = fileURLToPath(new URL('../../studio/dist', import.meta.url));

/** A rewrite rule in the built page, and what it must not be: what is below 0 becomes 0.25 where a product ends in Relu. */
const [RIGHT, WRONG] = ['Relu:()=>({name:`Clip`,alpha:0,', 'Relu:()=>({name:`Clip`,alpha:.25,'];

/** The page, with that rule wrong. */
function planted(): string {
  const page = join(folder, 'planted');
  cpSync(BUILT, page, { recursive: true });
  const assets = readdirSync(join(page, 'assets')).map((name) => join(page, 'assets', name));
  const [script, ...others] = assets.filter((path) => readFileSync(path, 'utf8').includes(RIGHT));
  assert.ok(script && others.length === 0, 'one script has the rule');
  writeFileSync(script, readFileSync(script, 'utf8').replace(RIGHT, WRONG));
  return page;
}

test('a wrong rewrite is seen beside onnxruntime-web, the worst value first, and found by bisection', async () => {
  const server = await serveStudio({
    page: planted(),
    peersOf: fileURLToPath(new URL('../../bench', import.meta.url)),
  });
  const { page, close } = await openStudio();
  await page.goto(server.address);
  await openUnderstand(page, DIGITS, 'Compare with onnxruntime');
  const button = page.getByRole('button', { name: 'Compare all values' });
  await button.or(page.getByText('onnxruntime-web is not installed')).first().waitFor();
  if (hasPeer) {
    const verdict = page.getByRole('status').filter({ hasText: 'out of tolerance' });
    await button.click();
    await comesTo(() => verdict.innerText(), /^0 of /);
    await page.getByRole('combobox', { name: /^Values/ }).selectOption('optimised');
    await button.click();
    await comesTo(() => verdict.innerText(), /^[1-9]\d* of /);
    const rows = await page.getByRole('table', { name: 'Values in both runtimes' }).getByRole('row').all();
    const distances = await Promise.all(
      rows.slice(1).map(async (row) => Number(await row.getByRole('cell').nth(2).innerText())),
    );
    assert.ok((distances[0] as number) > 0.01, `${distances}`);
    assert.equal(
      distances,
      distances.toSorted((a, b) => b - a),
    );
  }
  await page.getByRole('tab', { name: 'Rewrites', exact: true }).click();
  await page.getByRole('button', { name: 'Find rewrite' }).click();
  const status = page.getByRole('status').filter({ hasText: /^Rewrite \d+ of/ });
  await comesTo(
    () => status.innerText(),
    /^Rewrite \d+ of \d+, activation into a product or normalization at \S*Relu\S*, in/,
  );
  const place = page.getByText(/^It rewrites 1 node: \d+/);
  await place.locator('..').getByRole('button', { name: 'Show' }).click();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: 'Relu' }).waitFor();
  await close();
  server.close();
});

/** Of all numbers of a tensor, in double precision: the largest, the deviation and the mean. */
function figures(all: Float32Array): readonly [largest: number, deviation: number, mean: number] {
  const mean = all.reduce((sum, x) => sum + x, 0) / all.length;
  const squares = all.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return [all.reduce((most, x) => Math.max(most, Math.abs(x)), 0), Math.sqrt(squares / all.length), mean];
}

test('statistics of every layer are under the pointer and the arrow keys, and lead to the value', async () => {
  const session = await InferenceSession.create(DIGITS, { graphOptimizationLevel: 'disabled' });
  const feeds = generatedFeeds(session.inputMetadata);
  const values = { ...feeds, ...(await session.run(feeds as never, { capture: 'all' })) };
  await session.release();
  const { page, problems, close } = await openStudio();
  await openUnderstand(page, DIGITS, 'By layer');
  await page.getByRole('button', { name: 'Capture' }).click();
  const chart = page.getByRole('slider', { name: 'Statistics by layer' });
  const said = () => chart.getAttribute('aria-valuetext');
  await chart.focus();
  const names: string[] = [];
  for (const [i, key] of ['Home', ...Array.from({ length: 11 }, () => 'ArrowRight')].entries()) {
    await page.keyboard.press(key);
    await comesTo(() => chart.getAttribute('aria-valuenow'), `${i}`);
    const [, name = '', ...found] =
      /^(\S+?)(?: of \w+)? · largest (\S+) · deviation (\S+) · mean (\S+)$/.exec((await said()) ?? '') ?? [];
    const value = (values as Record<string, unknown>)[name] as { data: Float32Array };
    for (const [at, expected] of figures(value.data).entries())
      assert.ok(Math.abs(Number(found[at]) - expected) <= 0.006 * Math.abs(expected), `${await said()} ${expected}`);
    names.push(name);
  }
  assert.is(new Set(names).size, 12);
  const { width, x, y } = (await chart.locator('.u-over').boundingBox()) as { width: number; x: number; y: number };
  await page.mouse.move(x + (width * 4) / 11, y + 40);
  await page.getByText(new RegExp(`^${names[4]} of Conv · `)).waitFor();
  await page.mouse.down();
  await page.mouse.up();
  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('heading', { name: names[4] as string, exact: true }).waitFor();
  await chart.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await details.getByRole('heading', { name: 'probabilities', exact: true }).waitFor();
  assert.equal(problems, []);
  await close();
});

const models = shared('models');
test('rewrites are those of a session, with what each takes and puts', async () => {
  const { page, problems, close } = await openStudio();
  const model = join(models, 'mobilenet_v3_small', 'model.onnx');
  await openUnderstand(page, model, 'Rewrites');
  const session = await InferenceSession.create(model);
  const { applied } = session.rewrites;
  const nodes = session.model.graph.nodes.length;
  await session.release();
  await page.getByText(new RegExp(`^${applied.length} rewrites by .* made ${nodes} nodes of`)).waitFor();
  const last = applied.at(-1);
  await page.getByLabel('Rule').selectOption(last?.rule ?? '');
  await page.getByRole('table', { name: 'Rewrites', exact: true }).getByRole('row').nth(1).getByRole('button').click();
  const change = page.getByRole('region', { name: new RegExp(`^Rewrite \\d+: ${last?.rule}`) });
  await change.waitFor();
  for (const side of ['Before', 'After'])
    assert.ok((await change.getByRole('list', { name: side }).getByRole('listitem').count()) > 0, side);
  assert.equal(problems, []);
  await close();
});

test('the rewrite with which bits change is found, as sessions that stop at it show', async () => {
  const { page, problems, close } = await openStudio();
  const model = join(models, 'mobilenet_v3_small', 'model.onnx');
  await openUnderstand(page, model, 'Rewrites');
  await page.getByLabel('Tolerance (relative L2)').fill('1e-7');
  await page.getByRole('button', { name: 'Find rewrite' }).click();
  const status = page.getByRole('status').filter({ hasText: /^Rewrite \d+ of/ });
  await status.waitFor();
  const [, index, rule] = /^Rewrite (\d+) of \d+, (.+?) at/.exec(await status.innerText()) ?? [];
  const [plain, before, after] = [
    await outputsOf(model, { level: 'disabled' }),
    await outputsOf(model, { maxRewrites: Number(index) - 1 }),
    await outputsOf(model, { maxRewrites: Number(index) }),
  ];
  assert.ok(distance(before.data, plain.data) <= 1e-7);
  assert.ok(distance(after.data, plain.data) > 1e-7);
  assert.is(after.lastRule, rule);
  const place = page.getByText(/^It rewrites \d+ nodes?: \d+/);
  await place.locator('..').getByRole('button', { name: 'Show' }).click();
  await page.getByRole('complementary', { name: 'Details' }).getByRole('heading').first().waitFor();
  assert.equal(problems, []);
  await close();
});

test('every value of the shared models is that of onnxruntime-web', async () => {
  const { page, problems, close } = await openStudio();
  for (const name of readdirSync(models).filter((name) => existsSync(join(models, name, 'model.onnx')))) {
    await openFed(page, join(models, name));
    await page.getByRole('tab', { name: 'Understand' }).click();
    await page.getByRole('tab', { name: 'Compare with onnxruntime' }).click();
    const missing = page.getByText('onnxruntime-web is not installed');
    await Promise.race([page.waitForFunction(isEnabled), missing.waitFor()]);
    if (await missing.isVisible()) return close();
    await page.getByRole('button', { name: 'Compare all values' }).click();
    const verdict = page.getByRole('status').filter({ hasText: 'out of tolerance' });
    await verdict.waitFor({ timeout: 2 * PATIENCE });
    const worst = page.getByRole('table', { name: 'Values in both runtimes' }).getByRole('row').nth(1);
    await comesTo(() => verdict.innerText(), /^0 of /, `${name}: ${await worst.innerText()}`);
  }
  assert.equal(problems, []);
  await close();
});

/** Relative L2. */
function distance(actual: readonly number[], expected: readonly number[]): number {
  const norm = (values: readonly number[]) => Math.hypot(...values);
  return norm(actual.map((x, i) => x - (expected[i] as number))) / norm(expected);
}

/** Opens a model in place of the one before, and feeds it its first data set. */
async function openFed(page: Page, model: string): Promise<void> {
  await openFiles(page, join(model, 'model.onnx'));
  const tab = page.getByRole('tab', { name: 'Run', exact: true });
  await page.waitForFunction(() => document.querySelector('.task progress') === null);
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  const inputs = page.getByRole('group', { name: /^Input / });
  await inputs.first().waitFor();
  for (const [i, input] of (await inputs.all()).entries()) {
    await input.getByLabel(/^Source/).selectOption({ label: 'File' });
    await input.locator('input[type=file]').setInputFiles(join(model, 'test_data_set_0', `input_${i}.pb`));
  }
}

const isEnabled = () =>
  [...document.querySelectorAll('button')].some((each) => each.textContent === 'Compare all values' && !each.disabled);

async function outputsOf(
  model: string,
  { level = 'all', maxRewrites }: { level?: OptimizationLevel; maxRewrites?: number },
) {
  const limit = maxRewrites === undefined ? {} : { maxRewrites };
  const session = await InferenceSession.create(model, { graphOptimizationLevel: level, ...limit });
  const results = await session.run(generatedFeeds(session.inputMetadata) as never);
  const [output] = Object.values(results);
  const lastRule = session.rewrites.applied.at(-1)?.rule;
  await session.release();
  return { data: [...(output as { data: Float32Array }).data], lastRule };
}

test.run();
