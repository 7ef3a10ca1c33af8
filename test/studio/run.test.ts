import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longTasksOf } from './long-tasks.js';
import { closeStudio, openFiles, openStudio, type Page } from './studio-page.js';

const test = suite('the studio runs models');
test.after(closeStudio);

const DIGITS = fileURLToPath(new URL('../../examples/digits', import.meta.url));

async function openRun(page: Page, model: string): Promise<void> {
  await openFiles(page, model);
  await page.getByRole('tab', { name: 'Run' }).click();
  await page
    .getByRole('group', { name: /^Input / })
    .first()
    .waitFor();
}

const choose = (page: Page, input: string, source: string) =>
  page
    .getByRole('group', { name: `Input ${input}` })
    .getByLabel(/^From/)
    .selectOption({ label: source });

/** Draws strokes on the pad, in parts of its size. */
async function draw(page: Page, strokes: readonly (readonly (readonly [number, number])[])[]): Promise<void> {
  const box = await page.getByRole('application', { name: /^Drawing/ }).boundingBox();
  assert.ok(box);
  const place = ([x, y]: readonly [number, number]) => [box.x + x * box.width, box.y + y * box.height] as const;
  for (const stroke of strokes) {
    await page.mouse.move(...place(stroke[0] as [number, number]));
    await page.mouse.down();
    for (const point of stroke.slice(1)) await page.mouse.move(...place(point), { steps: 4 });
    await page.mouse.up();
  }
}

const ONE = [
  [
    [0.5, 0.08],
    [0.5, 0.92],
  ],
] as const;
const ZERO = [
  [...Array(25)].map((_, i) => [0.5 + 0.26 * Math.sin(i / 3.82), 0.5 - 0.38 * Math.cos(i / 3.82)] as const),
];

test('a digit that is drawn is read, live', async () => {
  const { page, problems, close } = await openStudio();
  await openRun(page, join(DIGITS, 'model.onnx'));
  const tasks = await longTasksOf(page);
  await choose(page, 'image', 'A drawing');
  await page.getByRole('button', { name: 'Live' }).click();
  const top = page.getByRole('table', { name: 'Largest of probabilities' }).getByRole('rowheader').first();
  await draw(page, ZERO);
  await page.waitForFunction(() => document.querySelector('.labels th')?.textContent === '0');
  await page.getByRole('button', { name: 'Clear' }).click();
  await draw(page, ONE);
  await page.waitForFunction(() => document.querySelector('.labels th')?.textContent === '1');
  assert.is(await top.innerText(), '1');
  assert.is(await page.getByRole('article', { name: /^Run/ }).count(), 1);
  assert.equal(await tasks(), []);
  assert.equal(problems, []);
  await close();
});

test.run();
