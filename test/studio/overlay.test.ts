import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { overlayOf } from '../../studio/src/features/overlay/formats.js';
import { leading } from '../tier.js';
import { closeStudio, type Opened, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite('studio/overlay'), { ci: 5 });
test.after(closeStudio);

const DIGITS = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

/** As Model Explorer's `GraphNodeData.save_to_file` writes it: by outputs, a name of a node, and a place. */
const NODE_DATA = {
  results: {
    '/c1/Conv_output_0': { value: -4.5, bgColor: 'red' },
    '/Relu': { value: 12 },
    '2': { value: 0.25 },
    '/c2/Conv_output_0': { value: 'slow' },
    'of another model': { value: 1000 },
  },
  thresholds: [{ value: 10, bgColor: 'blue' }],
};

const ATTACHMENT = {
  signature: 'netron:attachment',
  metadata: [
    { kind: 'node', target: '/c1/Conv', name: 'kernel', value: 'winograd' },
    { kind: 'model', target: '', name: 'device', value: 'phone' },
    { kind: 'value', target: '/Relu_output_0', name: 'range', value: [0, 6] },
  ],
  metrics: [
    { kind: 'node', target: '/c1/Conv', name: 'time', value: 1.5 },
    { kind: 'node', target: '/Relu', name: 'time', value: 0.5 },
    { kind: 'node', target: '/Relu', name: 'error', value: 0.125 },
  ],
};

test("figures are read of Model Explorer's node data, of one graph or several", () => {
  const said = (data: unknown) => overlayOf(JSON.stringify(data), 'latency.json')?.remarks;
  assert.equal(
    said({ results: { a: { value: 1 }, b: { value: 'x', textColor: 'red' }, c: { bgColor: 'red' }, d: 2 } }),
    [
      { of: 'either', key: 'a', title: 'latency', fact: 1 },
      { of: 'either', key: 'b', title: 'latency', fact: 'x' },
      { of: 'either', key: 'd', title: 'latency', fact: 2 },
    ],
  );
  assert.equal(
    said({ main: { results: { a: { value: 1 } } } })?.map(({ title }) => title),
    ['latency'],
  );
  assert.equal(
    said({ one: { results: { a: { value: 1 } } }, two: { results: { a: { value: 2 } } } })?.map(({ title, fact }) => [
      title,
      fact,
    ]),
    [['one', 1], ['two', 2]], // biome-ignore format: a table
  );
});

test("metrics and metadata are read of Netron's attachments, and what Netron passes over is passed over", () => {
  const data = {
    ...ATTACHMENT,
    metrics: [...ATTACHMENT.metrics, { kind: 'edge', target: 'a', name: 'b', value: 1 }, { kind: 'node' }, null, 7],
  };
  const found = overlayOf(JSON.stringify(data), 'a.json')?.remarks ?? [];
  assert.is(found.length, 6);
  assert.equal(found[0], { of: 'node', key: '/c1/Conv', title: 'time', fact: 1.5 });
  assert.equal(found[5], { of: 'value', key: '/Relu_output_0', title: 'range', fact: '[0,6]' });
});

test('other files are left to others', () => {
  for (const text of ['', '{', '[]', 'null', '7', '{}', '{"results": []}', '{"signature": "x"}', '{"a": {"b": 1}}'])
    assert.is(overlayOf(text, 'a.json'), undefined, text);
});

const folder = mkdtempSync(join(tmpdir(), 'sardonyx-overlay-'));
test.after(() => rmSync(folder, { recursive: true }));

/** The digits network, and over it a file. */
async function openOver(name: string, data: unknown): Promise<Opened> {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(data));
  const opened = await openStudio();
  await openFiles(opened.page, DIGITS);
  await opened.page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  await openFiles(opened.page, path);
  return opened;
}

const legend = (page: Page) => page.getByRole('img', { name: /^Colors: / });
const modelPanel = (page: Page) => page.getByRole('region', { name: 'Model' });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });

test('node data colour the graph from the least to the most, and stand in the tree and in details', async () => {
  const { page, problems, close } = await openOver('latency.json', NODE_DATA);
  await comesTo(
    async () => (await legend(page).getAttribute('aria-label')) ?? '',
    /latency, from -4\.50 up to 12\.0 per node/,
  );
  await modelPanel(page).getByText('latency.json: 4 nodes in this graph').waitFor();
  await comesTo(() => page.getByRole('tree', { name: 'Graph' }).ariaSnapshot(), /Relu, \/Relu, .*12\.0/);
  await modelPanel(page).getByRole('button', { name: 'image', exact: true }).first().click();
  await details(page).getByRole('button', { name: 'Conv /c1/Conv' }).click();
  await comesTo(() => details(page).innerText(), /latency\.json\s+latency\s+-4\.50/);
  await modelPanel(page).getByRole('button', { name: 'Remove' }).click();
  await legend(page).waitFor({ state: 'detached' });
  assert.not.match(await details(page).innerText(), /latency/);
  assert.equal(problems, []);
  await close();
});

test("an attachment's metrics are chosen, its words stand in details", async () => {
  const { page, problems, close } = await openOver('metrics.json', ATTACHMENT);
  const label = async () => (await legend(page).getAttribute('aria-label')) ?? '';
  await comesTo(label, /time, from 0\.500 up to 1\.50 per node/);
  await comesTo(() => modelPanel(page).innerText(), /device\s+phone/);
  await modelPanel(page).getByLabel('Color graph by').selectOption('error');
  await comesTo(label, /error, from 0\.125 up to 0\.125 per node/);
  await modelPanel(page).getByRole('button', { name: 'image', exact: true }).first().click();
  await details(page).getByRole('button', { name: 'Conv /c1/Conv' }).click();
  await comesTo(() => details(page).innerText(), /time\s+1\.50\s+kernel\s+winograd/);
  await details(page).getByRole('button', { name: '/c1/Conv_output_0', exact: true }).click();
  await details(page).getByRole('button', { name: 'Relu /Relu' }).click();
  await details(page).getByRole('button', { name: '/Relu_output_0', exact: true }).click();
  await comesTo(() => details(page).innerText(), /range\s+\[0,6\]/);
  assert.equal(problems, []);
  await close();
});

test('a file about another model says so', async () => {
  const { page, problems, close } = await openOver('other.json', { results: { elsewhere: { value: 1 } } });
  await page.getByRole('log').getByText('other.json does not match this graph').waitFor();
  assert.is(await legend(page).count(), 0);
  assert.equal(problems, []);
  await close();
});

test.run();
