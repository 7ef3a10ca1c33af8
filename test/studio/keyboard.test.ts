import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseModel, saveModel } from '../../src/tools/index.js';
import { leading } from '../tier.js';
import { written } from './details-model.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';
import { comesTo, drawn } from './waiting.js';

const test = leading(suite('studio/keyboard'), { ci: 1 });
test.after(closeStudio);

/** Two blocks, a choice between graphs, and a table: what there is to walk through. */
const MODEL = `<ir_version: 10, opset_import: ["": 21]>
walked (float[n, 4] x, bool yes) => (float[n, 4] z)
<float[4, 4] table = {1,2,3,4, 5,6,7,8, 9,10,11,12, 13,14,15,16}> {
  ["blocks/0/Relu"] a = Relu (x)
  ["blocks/0/MatMul"] b = MatMul (a, table)
  ["blocks/0/Add"] c = Add (b, x)
  ["blocks/1/Relu"] d = Relu (c)
  ["blocks/1/MatMul"] e = MatMul (d, table)
  ["blocks/1/Add"] f = Add (e, c)
  ["choose"] z = If (yes) <
    then_branch = then_graph () => (float[n, 4] g) { ["inner"] g = Neg (f) },
    else_branch = else_graph () => (float[n, 4] h) { h = Identity (f) }
  >
}`;

interface Focus {
  readonly name: string;
  /** Why it cannot be seen where the focus is; '' where it can. */
  readonly hidden: string;
}

/** In the page: what has the focus, and whether people see that. */
function focusInPage(): Focus {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return { name: 'nothing', hidden: 'nothing has the focus' };
  const name = element.getAttribute('aria-label') ?? (element as HTMLInputElement).labels?.[0]?.textContent;
  const said = (name || element.textContent || element.tagName).trim();
  return { name: said, hidden: whyHidden(element) };

  function whyHidden(element: HTMLElement): string {
    if (!element.matches(':focus-visible')) return 'it has no :focus-visible';
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (box.width < 4 || box.height < 4) return `it is ${box.width} × ${box.height} pixels`;
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `it lies at ${x}, ${y}, out of the window`;
    const top = document.elementFromPoint(x, y);
    // The tree beside the drawing lets the pointer through to it.
    const isDrawing = element.matches('.graph-tree') && top?.matches('canvas, .graph-tree *');
    const isOnTop = top && (element.contains(top) || top.contains(element) || element.closest('label')?.contains(top));
    if (!isDrawing && !isOnTop) return `it lies behind ${top?.outerHTML.slice(0, 80)}`;
    if (element.getAttribute('aria-activedescendant')) return '';
    const marks = [element, element.closest('.button')].map((each) => each && getComputedStyle(each));
    const isMarked = marks.some(
      (style) =>
        style && ((style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none'),
    );
    return isMarked ? '' : 'nothing marks it';
  }
}

/** A person at a keyboard: after each key the focus is somewhere, and seen. */
function keyboardOf(page: Page) {
  const lost: string[] = [];
  // Choosers are listened for from now on, which takes the browser a moment.
  page.on('filechooser', () => {});
  const settle = async () => {
    await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
    await drawn(page);
  };
  const focus = () => page.evaluate(focusInPage);
  // Focus that was lost is given on two frames later, and a busy machine draws few.
  const settled = async () => {
    let now = await focus();
    for (let tries = 1000; now.hidden && tries; tries--) {
      await page.waitForTimeout(50);
      now = await focus();
    }
    return now;
  };
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key);
      await settle();
      const { name, hidden } = await settled();
      if (hidden) lost.push(`after ${key}, on ${name}: ${hidden}`);
    }
  };
  const to = async (wanted: string | RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab') => {
    for (let i = 0; i < 150; i++) {
      const { name } = await focus();
      if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
      await page.keyboard.press(key);
      const found = await focus();
      const now = found.hidden && found.name !== 'nothing' ? await settled() : found;
      // From the last element the browser's own controls follow, of which the page knows nothing.
      if (now.hidden && now.name !== 'nothing') lost.push(`on the way to ${wanted}, on ${now.name}: ${now.hidden}`);
    }
    throw new Error(`no ${key} leads to ${wanted}`);
  };
  return { press, to, focus, lost };
}

const openWith = async (page: Page, path: string, press: () => Promise<void>) => {
  const chooser = page.waitForEvent('filechooser');
  const pressed = press();
  await (await chooser).setFiles(path);
  await pressed;
};

test('by keys alone: open, walk, enter, find, run, read a tensor, edit, change the theme, leave', async () => {
  const path = written('walked.onnx', {});
  writeFileSync(path, await saveModel(parseModel(MODEL)));
  const broken = join(path, '..', 'broken.onnx');
  writeFileSync(broken, 'no model at all');
  const { page, problems, close } = await openStudio();
  const { press, to, focus, lost } = keyboardOf(page);
  const focused = async () => (await focus()).name;
  const tree = page.getByRole('tree', { name: 'Graph' });
  const active = async () =>
    (await page.locator(`[id="${await tree.getAttribute('aria-activedescendant')}"]`).textContent()) ?? '';

  await page.keyboard.press('Tab');
  await to('Open files');
  await openWith(page, path, () => press('Enter'));
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await press('Tab', 'Shift+Tab');
  await comesTo(focused, 'Graph', 'the graph has the focus once it is there');

  await press('Home');
  await comesTo(active, /^x, input/);
  // Modules are open at first: out of the node, and the module is closed.
  await press('ArrowDown');
  await comesTo(async () => /^x, input/.test(await active()), false);
  await press('Backspace');
  await comesTo(active, /^blocks.*6 nodes$|^0, blocks\/0/);
  await press('Enter');
  await page.locator('[aria-selected=true][aria-expanded=false]').waitFor({ state: 'attached' });
  const outer = await active();
  await press('Enter', 'ArrowDown');
  await comesTo(async () => (await active()) !== outer, true);
  await press('Backspace');
  await comesTo(active, outer);
  await press('Enter', 'End', 'ArrowUp');
  await comesTo(active, /^If, choose/);

  await press('Enter');
  await to('Open then_branch');
  await press('Enter');
  await page.getByRole('treeitem', { name: /^Neg, inner/ }).waitFor({ state: 'attached' });
  await comesTo(focused, 'Graph', 'entered, the graph has the focus');
  await press('Escape');
  await page.getByRole('treeitem', { name: /^If, choose/ }).waitFor({ state: 'attached' });

  await press('ControlOrMeta+f');
  await comesTo(focused, 'Find in the model');
  await page.keyboard.type('"table"');
  await press('Enter');
  await comesTo(focused, 'Find in the model');
  await to('View tensor');
  await press('Enter');
  const dialog = page.getByRole('dialog', { name: 'table' });
  // A Tab before it is there would lead past the button, which then would not get the focus back.
  await dialog.waitFor();
  await to('Table of 4 × 4');
  await press('ArrowDown');
  await to('Element', 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1.5');
  await press('Enter');
  await dialog.getByRole('cell', { name: '1.5', exact: true }).waitFor();
  await press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await comesTo(focused, 'View tensor', 'the dialog gives the focus back');
  await press('Escape');
  await comesTo(async () => (await focused()) !== 'nothing', true);

  await to('Run', 'Shift+Tab');
  await press('Enter');
  const run = page.getByRole('region', { name: 'Run', exact: true });
  await run.getByRole('button', { name: 'Run', exact: true }).waitFor();
  await press('Tab');
  await to('Run');
  await press('Enter');
  await to('Elements of z');
  await comesTo(() => run.getByLabel('Elements of z').innerText(), /\d/);
  await page.getByRole('treeitem', { name: 'x, input, float32[1, 4]' }).waitFor({ state: 'attached' });
  await to('Remove run 1', 'Shift+Tab');
  await press('Enter');
  await page.getByRole('treeitem', { name: 'x, input, float32[n, 4]' }).waitFor({ state: 'attached' });

  await to('Edit', 'Shift+Tab');
  await press('Enter', 'ControlOrMeta+z');
  await to('Redo');
  await comesTo(
    () => page.getByRole('button', { name: 'Undo' }).getAttribute('aria-disabled'),
    'true',
    'by keys undone',
  );

  await to('Open', 'Shift+Tab');
  await openWith(page, broken, () => press('Enter'));
  await page.getByText('broken.onnx failed').waitFor();
  await to('Dismiss');
  await press('Enter');
  await page.getByText('broken.onnx failed').waitFor({ state: 'detached' });
  await to('Use dark theme', 'Shift+Tab');
  await press('Enter');
  await comesTo(focused, 'Use light theme');
  await comesTo(() => page.locator('html').getAttribute('data-theme'), 'dark');
  await to('Fit to window', 'Shift+Tab');
  assert.equal(lost, []);
  assert.equal(problems, []);
  await close();
});

test('the tour is taken and left by keys', async () => {
  const { page, problems, close } = await openStudio();
  const { press, to, focus, lost } = keyboardOf(page);
  const focused = async () => (await focus()).name;
  await page.keyboard.press('Tab');
  await to('Take the tour');
  await press('Enter');
  await page.getByRole('dialog', { name: 'Tour' }).waitFor();
  await to('Next');
  await to('Zoom in', 'Shift+Tab');
  await to('Next');
  await press('Enter', 'Enter');
  await press('Escape');
  await page.getByRole('dialog', { name: 'Tour' }).waitFor({ state: 'detached' });
  await comesTo(async () => (await focused()) !== 'nothing', true);
  assert.equal(lost, []);
  assert.equal(problems, []);
  await close();
});

test.run();
