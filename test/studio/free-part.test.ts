import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeStudio, openFiles, openStudio, type Page, shared } from './studio-page.js';
import { comesTo, stays } from './waiting.js';

const test = suite('studio/free-part');
test.after(closeStudio);

const model = shared('models/mobilenet_v2/model.onnx');
const selected = (page: Page) => page.locator('[role=treeitem][aria-selected=true]');

/** Where the middle of the selection and of the free part of the drawing are, and whether anything lies over the selection. */
async function places(page: Page) {
  await stays(page, '[role=tree]');
  return page.evaluate(() => {
    const box = document.querySelector('[role=treeitem][aria-selected=true]')?.getBoundingClientRect();
    const host = document.querySelector('.graph')?.getBoundingClientRect();
    const details = document.querySelector('.details')?.getBoundingClientRect();
    if (!box || !host) return null;
    const right = Math.min(host.right, details?.left ?? host.right);
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    const over = document.elementFromPoint(...middle);
    return {
      off: Math.hypot(middle[0] - (host.left + right) / 2, middle[1] - (host.top + host.bottom) / 2),
      isFree: over?.closest('.graph-surface') !== null,
    };
  });
}

async function findLast(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+f');
  await page.getByRole('combobox', { name: 'Find in the model' }).fill('Gemm');
  await page.keyboard.press('Enter');
  await selected(page).waitFor({ state: 'attached' });
}

for (const width of [1440, 1000])
  test(`at ${width} pixels, what is found is in the middle of what nothing covers`, async () => {
    const { page, problems, close } = await openStudio({ width });
    await openFiles(page, model);
    await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
    await findLast(page);
    const found = await places(page);
    assert.ok(found?.isFree, 'nothing lies over it');
    assert.ok(found.off < 3, `${found.off} pixels off`);
    assert.equal(problems, []);
    await close();
  });

test('a node at the edge that is clicked is not hidden by its details, nor by a panel that opens', async () => {
  const { page, problems, close } = await openStudio({ width: 1000 });
  await openFiles(page, model);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('button', { name: 'Collapse all' }).waitFor();
  await page.getByRole('button', { name: /^Actual size/ }).click();
  await stays(page, '[role=tree]');
  const host = await page.locator('.graph').boundingBox();
  const boxes = await page.getByRole('treeitem', { expanded: undefined }).all();
  let target: { x: number; y: number } | undefined;
  for (const each of boxes) {
    const box = await each.boundingBox();
    if (box && box.height < 60 && box.y > 120 && box.y < 800 && (await each.getAttribute('aria-expanded')) === null)
      target = { x: box.x + 20, y: box.y + box.height / 2 };
  }
  assert.ok(host && target);
  // To where the details will be.
  await page.mouse.move(target.x, target.y);
  await page.mouse.wheel(target.x - (host.x + host.width - 60), 0);
  await stays(page, '[role=tree]');
  await page.mouse.click(host.x + host.width - 60, target.y);
  await selected(page).waitFor({ state: 'attached' });
  assert.ok((await places(page))?.isFree, 'after the click');
  await page.getByRole('tab', { name: 'Run' }).click();
  await page.getByRole('region', { name: 'Run', exact: true }).waitFor();
  assert.ok((await places(page))?.isFree, 'beside the panel');
  assert.equal(problems, []);
  await close();
});

test('Expand all shows the whole drawing', async () => {
  const { page, problems, close } = await openStudio();
  await openFiles(page, model);
  await page.getByRole('button', { name: 'Collapse all' }).click();
  await page.getByRole('button', { name: 'Expand all' }).click();
  await page.getByRole('button', { name: 'Collapse all' }).waitFor();
  const outside = () =>
    page.evaluate(() => {
      const host = document.querySelector('.graph')?.getBoundingClientRect() as DOMRect;
      return [...document.querySelectorAll('[role=treeitem]')].filter((item) => {
        const { top, bottom, left, right } = item.getBoundingClientRect();
        return top < host.top || bottom > host.bottom || left < host.left || right > host.right;
      }).length;
    });
  await comesTo(() => page.locator('.graph-scale').innerText(), /^\d\.\d %$/);
  await comesTo(outside, 0);
  assert.equal(problems, []);
  await close();
});

test.run();
