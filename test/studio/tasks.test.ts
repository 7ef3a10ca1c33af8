import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leading } from '../tier.js';
import { notedModel } from './details-model.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = leading(suite('studio/tasks'), { ci: 4 });
test.after(closeStudio);

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const digits = at('examples/digits/model.onnx');

/** The clicks that docs/studio.md says the studio takes, by task. */
const SAID = new Map(
  [...readFileSync(at('docs/studio.md'), 'utf8').matchAll(/^\| \d+ \| ([^|]+?) \|.*\| (\d+) \|$/gm)].map(
    ([, task = '', clicks]) => [task, Number(clicks)] as const,
  ),
);

/** Presses of the pointer since the last look: a double click is two, a drag is one. */
const presses = (page: Page): Promise<number> => page.evaluate('(window.presses ??= 0, window.presses)');
const COUNTING = `window.presses = 0; addEventListener('pointerdown', () => window.presses++, true);`;

type Task = readonly [name: string, act: (page: Page) => Promise<unknown>];

const done = new Set<string>();

/** Does tasks one after the other in a page, each from the model panel with nothing selected, and counts their clicks. */
async function count(page: Page, tasks: readonly Task[], panel = 'Model'): Promise<void> {
  for (const [name, act] of tasks) {
    const clicks = SAID.get(name);
    assert.type(clicks, 'number', `docs/studio.md has no task "${name}"`);
    const before = await presses(page);
    await act(page);
    assert.is((await presses(page)) - before, clicks, name);
    done.add(name);
    await startOver(page, panel);
  }
}

async function startOver(page: Page, panel: string): Promise<void> {
  await page.keyboard.press('Escape');
  const close = page.getByRole('button', { name: 'Close details' });
  if (await close.isVisible()) await close.click();
  const tab = page.getByRole('tab', { name: panel, exact: true });
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  const fit = page.getByRole('button', { name: 'Fit', exact: false });
  if (panel === 'Model') await fit.click();
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const details = (page: Page) => page.getByRole('complementary', { name: 'Details' });
const graphBar = (page: Page) => page.getByRole('group', { name: 'Graph view' });

async function pressNode(page: Page, name: RegExp, how: 'click' | 'dblclick' = 'click'): Promise<void> {
  await stays(page, '[role=tree]');
  const box = await page.getByRole('treeitem', { name }).first().boundingBox();
  assert.ok(box, `${name} is in sight`);
  await page.mouse[how](box.x + box.width / 2, box.y + box.height / 2);
}

async function find(page: Page, query: string): Promise<void> {
  await tab(page, 'Find');
  await page.getByRole('combobox', { name: 'Find in the model' }).fill(query);
  await page.getByText(/^\d+ found$/).waitFor();
  await page.keyboard.press('Enter');
  await details(page).waitFor();
}

async function saved(page: Page, press: () => Promise<unknown>, name: RegExp): Promise<void> {
  const given = page.waitForEvent('download');
  await press();
  assert.match((await given).suggestedFilename(), name);
}

const LOOKING: readonly Task[] = [
  [
    'See the inputs, outputs, opsets, and producer of a model',
    (page) => comesTo(() => region(page, 'Model').innerText(), /Producer[\s\S]*Inputs[\s\S]*Outputs/),
  ],
  ['Count the parameters', (page) => comesTo(() => region(page, 'Model').innerText(), /Parameters\s+13\.7 k/)],
  [
    'Count the multiply-adds of a run',
    (page) => comesTo(() => region(page, 'Model').innerText(), /Multiply-adds\s+[\d.]+ k/),
  ],
  [
    'See the attributes of a node',
    async (page) => {
      await pressNode(page, /^Conv/);
      await comesTo(() => details(page).innerText(), /kernel_shape/);
    },
  ],
  [
    'Read the documentation of an operator',
    async (page) => {
      await pressNode(page, /^Conv/);
      await details(page).getByText('About Conv').click();
      await details(page).getByText('The convolution operator consumes').waitFor();
    },
  ],
  ['Find a node by its name', (page) => find(page, '/f1/Gemm')],
  ['Find nodes by the value of an attribute', (page) => find(page, 'kernel_shape=3')],
  ['Find values by their shape', (page) => find(page, '?,1,8,8')],
  [
    'See the shape of a value between two nodes',
    async (page) => {
      await pressNode(page, /^Conv/);
      await comesTo(() => details(page).innerText(), /Outputs[\s\S]*float32\[/);
    },
  ],
  [
    'See the elements of a weight',
    async (page) => {
      await tab(page, 'Weights');
      await page.getByRole('table', { name: 'Weights' }).getByRole('button', { name: 'f1.weight' }).click();
      await page.getByRole('dialog').locator('.cells [role=cell]').first().waitFor();
    },
  ],
  [
    'See the histogram and statistics of a weight',
    async (page) => {
      await tab(page, 'Weights');
      await page.getByRole('table', { name: 'Weights' }).getByRole('button', { name: 'f1.weight' }).click();
      await page.getByRole('dialog').getByText('Standard deviation').waitFor();
    },
  ],
  [
    'Save a weight as .npy',
    async (page) => {
      await tab(page, 'Weights');
      await page.getByRole('table', { name: 'Weights' }).getByRole('button', { name: 'f1.weight' }).click();
      await saved(page, () => page.getByRole('button', { name: 'Save as .npy' }).click(), /f1\.weight\.npy/);
    },
  ],
  [
    'List all weights by size',
    async (page) => {
      await tab(page, 'Weights');
      await page.getByRole('columnheader', { name: 'Bytes' }).and(page.locator('[aria-sort=descending]')).waitFor();
    },
  ],
  ['Draw the graph from left to right', (page) => graphBar(page).getByRole('button', { name: 'Horizontal' }).click()],
  [
    'Show attributes on the nodes',
    async (page) => {
      await graphBar(page).getByText('Show on nodes').click();
      await graphBar(page).getByLabel('Attributes').click();
    },
  ],
  [
    'Save the graph as SVG',
    (page) => saved(page, () => graphBar(page).getByRole('button', { name: 'SVG' }).click(), /\.svg$/),
  ],
  [
    'Copy a link to a node',
    async (page) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await pressNode(page, /^Conv/);
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByRole('button', { name: 'Link copied' }).waitFor();
    },
  ],
];

const WORKING: readonly Task[] = [
  [
    'Run the model and see its outputs',
    async (page) => {
      await tab(page, 'Run');
      await region(page, 'Run').getByRole('button', { name: 'Run', exact: true }).click();
      await page.getByRole('table', { name: /^Top classes/ }).waitFor();
    },
  ],
  [
    'See the time of each operator',
    async (page) => {
      await tab(page, 'Measure');
      await region(page, 'Measure').getByRole('button', { name: 'Measure', exact: true }).click();
      await page.getByRole('table', { name: 'Costs by operator' }).waitFor();
    },
  ],
  [
    'Sum the time of a range of the timeline',
    async (page) => {
      await tab(page, 'Measure');
      await tab(page, 'Timeline');
      const box = await page.getByRole('img', { name: /^Timeline of/ }).boundingBox();
      assert.ok(box);
      await page.mouse.move(box.x + 80, box.y + 40);
      await page.mouse.down();
      await page.mouse.move(box.x + 0.7 * box.width, box.y + 40, { steps: 4 });
      await page.mouse.up();
      await region(page, 'Selected range').waitFor();
    },
  ],
  [
    'Color the graph by a metric of a file',
    async (page) => {
      await page.evaluate((text) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], 'latency.json'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
      }, NODE_DATA);
      await page.getByRole('img', { name: /^Colors: latency/ }).waitFor();
    },
  ],
  [
    'Compare two models',
    async (page) => {
      await tab(page, 'Compare');
      await region(page, 'Compare').getByLabel('Choose other model').setInputFiles(notedModel());
      await page.locator('.compared-nodes').waitFor();
    },
  ],
  [
    'Add a value between two nodes to the outputs',
    async (page) => {
      await pressNode(page, /^Conv/);
      await details(page).locator('.operands').last().getByRole('button').first().click();
      await details(page).getByRole('button', { name: 'Add to outputs' }).click();
      await page.getByRole('banner').getByRole('button', { name: 'Save', exact: true }).waitFor();
    },
  ],
  [
    'Save the edited model',
    (page) =>
      saved(
        page,
        () => page.getByRole('banner').getByRole('button', { name: 'Save', exact: true }).click(),
        /^model\.onnx$/,
      ),
  ],
];

/** As Model Explorer's `GraphNodeData.save_to_file` writes it. */
const NODE_DATA = JSON.stringify({ results: { '/c1/Conv': { value: 4.5 }, '/Relu': { value: 12 } } });

test('tasks of looking at a model take the clicks that the documentation says', async () => {
  const { page, problems, close } = await openStudio();
  await count(page, [['Open a model', (opened) => dropped(opened)]]);
  await page.evaluate(COUNTING);
  await count(page, LOOKING);
  assert.equal(problems, []);
  await close();
});

async function dropped(page: Page): Promise<void> {
  const bytes = readFileSync(digits).toString('base64');
  await page.evaluate((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], 'model.onnx'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
  }, bytes);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
}

test('tasks of running, comparing and editing do, too', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, digits);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.evaluate(COUNTING);
  await count(page, WORKING);
  assert.equal(problems, []);
  await close();
});

test('so do functions, modules and logs', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, notedModel());
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.evaluate(COUNTING);
  await count(page, [
    [
      'Open the body of a function',
      async () => {
        await pressNode(page, /^Twice/, 'dblclick');
        await page.getByRole('navigation', { name: 'Graph path' }).getByText('local:Twice').waitFor();
      },
    ],
  ]);
  await close();

  const logs = await openStudio();
  await logs.page.evaluate(COUNTING);
  await region(logs.page, 'Samples').getByRole('button', { name: 'Training log' }).click();
  await logs.page.getByRole('figure', { name: 'loss/train', exact: true }).waitFor();
  await count(
    logs.page,
    [
      [
        'Compare the loss of several runs',
        () => logs.page.getByRole('figure', { name: 'loss/train', exact: true }).getByRole('table').waitFor(),
      ],
      ['Pin a chart', () => logs.page.getByRole('button', { name: 'Pin loss/train' }).click()],
      [
        'Save the points of a chart as CSV',
        () =>
          saved(logs.page, () => logs.page.getByRole('button', { name: 'CSV of loss/train' }).first().click(), /csv$/),
      ],
      [
        'See the histograms of the weights',
        async () => {
          await tab(logs.page, 'Histograms');
          await logs.page.getByRole('figure').first().waitFor();
        },
      ],
    ],
    'Watch',
  );
  assert.equal([...problems, ...logs.problems], []);
  await logs.close();
});

test('all tasks of the documentation were counted', () => {
  assert.equal(
    [...SAID.keys()].filter((task) => !done.has(task)),
    [],
  );
  assert.is(SAID.size, 30);
});

test.run();
