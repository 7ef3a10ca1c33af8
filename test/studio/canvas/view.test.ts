import { crc32, inflateSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import axe from '../../../studio/node_modules/axe-core/axe.js';
import type { Page } from '../../../studio/node_modules/playwright-core/index.js';
import { leading } from '../../tier.js';
import { closeCanvas, openCanvas } from './canvas-page.js';

const test = leading(suite('studio/canvas: the view'), { ci: 8 });
test.after(closeCanvas);

/** The screen's place of a box, by what screen readers find there. */
async function placeOf(page: Page, name: RegExp): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page.getByRole('treeitem', { name }).first().boundingBox();
  if (!box) throw new Error(`nothing is called ${name}`);
  return box;
}

/** Until no frame has been drawn for a while: by then tiles are sharp, and the tree is that of the screen. */
const settled = (page: Page) => page.evaluate(() => stage.settled());
const events = (page: Page) => page.evaluate(() => stage.events.splice(0).filter(([name]) => name !== 'frame'));

async function shown(nodes: number, options = {}, theme = 'light') {
  const opened = await openCanvas(options, theme);
  await opened.page.evaluate((count) => stage.show(count), nodes);
  await settled(opened.page);
  return opened;
}

test('a click selects, a second on nothing does not, a double click enters', async () => {
  const { page, close } = await shown(300);
  const { x, y, width, height } = await placeOf(page, /node_1,/);
  await page.mouse.click(x + width / 2, y + height / 2);
  assert.equal(await events(page), [['select', { kind: 'node', index: 1 }]]);
  assert.equal(await page.evaluate(() => stage.view.selected()), { kind: 'node', index: 1 });
  await page.mouse.dblclick(x + width / 2, y + height / 2);
  const [[name, target] = []] = await events(page);
  assert.equal([name, target], ['enter', { kind: 'node', index: 1 }]);
  await page.mouse.click(20, 700);
  assert.equal(await events(page), [['select', undefined]]);
  await close();
});

test('dragging and the wheel move, Ctrl and the wheel zoom about the pointer', async () => {
  const { page, close } = await shown(300);
  const before = await placeOf(page, /node_1,/);
  await page.mouse.move(200, 300);
  await page.mouse.down();
  await page.mouse.move(230, 280, { steps: 4 });
  await page.mouse.up();
  await page.mouse.wheel(-40, 35);
  await settled(page);
  const moved = await placeOf(page, /node_1,/);
  assert.ok(
    Math.abs(moved.x - before.x - 70) < 1 && Math.abs(moved.y - before.y + 55) < 1,
    JSON.stringify([before, moved]),
  );
  assert.equal(await events(page), [], 'a drag selects nothing');
  const pointer = { x: moved.x + 5, y: moved.y + 5 };
  await page.mouse.move(pointer.x, pointer.y);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -60);
  await page.keyboard.up('Control');
  await settled(page);
  const zoomed = await placeOf(page, /node_1,/);
  const factor = zoomed.width / moved.width;
  assert.ok(factor > 1.3, `${factor}`);
  assert.ok(Math.abs(zoomed.x - (pointer.x - 5 * factor)) < 1 && Math.abs(zoomed.y - (pointer.y - 5 * factor)) < 1);
  await close();
});

test('two fingers stretch the picture about what lies between them', async () => {
  const { page, close } = await shown(300, { hasTouch: true });
  const before = await placeOf(page, /node_82,/);
  const tools = await page.context().newCDPSession(page);
  const touch = (type: string, ...points: [x: number, y: number][]) =>
    tools.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await touch('touchStart', [600, 400], [700, 400]);
  for (let step = 1; step <= 10; step++) await touch('touchMove', [600 - 5 * step, 400], [700 + 5 * step, 400]);
  await touch('touchEnd');
  await settled(page);
  const after = await placeOf(page, /node_82,/);
  assert.ok(Math.abs(after.width / before.width - 2) < 0.1, `${after.width / before.width}`);
  assert.ok(Math.abs(after.x - 650 - 2 * (before.x - 650)) < 12, JSON.stringify([before, after]));
  await close();
});

test('a module that is opened stays under the pointer, as does one that is closed', async () => {
  const { page, close } = await shown(300);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(150, -37);
  await settled(page);
  const frame = await placeOf(page, /^Block 1,/);
  await page.mouse.click(frame.x + 14 * 0.75, frame.y + 14 * 0.75);
  assert.equal(await events(page), [['toggle', 1, false]]);
  await page.evaluate(() => stage.showClosed(300, 1));
  await settled(page);
  const closed = await placeOf(page, /^Block 1,/);
  assert.ok(Math.abs(closed.x - frame.x) < 1 && Math.abs(closed.y - frame.y) < 1, JSON.stringify([frame, closed]));
  assert.is(await page.getByRole('treeitem', { name: /^Block 1,/ }).getAttribute('aria-expanded'), 'false');
  await page.mouse.dblclick(closed.x + closed.width - 6, closed.y + closed.height - 6);
  assert.equal(await events(page), [
    ['select', { kind: 'module', index: 1 }],
    ['toggle', 1, true],
  ]);
  await page.evaluate(() => stage.show(300));
  await settled(page);
  const open = await placeOf(page, /^Block 1,/);
  assert.ok(Math.abs(open.x - closed.x) < 1 && Math.abs(open.y - closed.y) < 1, JSON.stringify([closed, open]));
  await close();
});

test('closed by a double click far from its corner, a module comes to the pointer', async () => {
  const { page, close } = await shown(300);
  await page.evaluate(() => stage.view.zoomTo(0.5));
  await settled(page);
  const frame = await placeOf(page, /^Block 0,/);
  const pointer = { x: frame.x + frame.width - 4, y: frame.y + frame.height - 4 };
  await page.mouse.dblclick(pointer.x, pointer.y);
  assert.equal((await events(page)).at(-1), ['toggle', 0, false]);
  // As when types come while the picture with the module closed is made.
  await page.evaluate(() => stage.show(300));
  await page.evaluate(() => stage.showClosed(300, 0));
  await settled(page);
  const closed = await placeOf(page, /^Block 0,/);
  assert.ok(closed.x <= pointer.x && closed.x + closed.width >= pointer.x, JSON.stringify([pointer, closed]));
  assert.ok(closed.y <= pointer.y && closed.y + closed.height >= pointer.y, JSON.stringify([pointer, closed]));
  await close();
});

test('keys walk along edges, into and out of modules, zoom and leave', async () => {
  const { page, close } = await shown(300);
  await page.keyboard.press('Tab');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
    return page.evaluate(() => stage.view.selected());
  };
  assert.equal(await press('ArrowDown'), { kind: 'module', index: 0 });
  assert.equal(await press('ArrowDown'), { kind: 'node', index: 0 });
  assert.equal(await press('ArrowRight', 'ArrowRight'), { kind: 'node', index: 2 });
  const columns = await page.evaluate(
    () => stage.view.selected() && stage.generated(300).outline.nodes.inputs.values[0],
  );
  assert.type(columns, 'number');
  const below = await press('ArrowDown');
  assert.is(below?.kind, 'node');
  assert.equal(await press('ArrowUp'), { kind: 'node', index: 2 });
  assert.equal(await press('Backspace'), { kind: 'module', index: 0 });
  await events(page);
  await press('Enter');
  assert.equal(await events(page), [['toggle', 0, false]]);
  assert.equal(await press('Escape'), undefined);
  await press('Escape');
  assert.equal(await events(page), [['select', undefined], ['leave']]);
  await press('Home', 'ArrowDown', 'Enter');
  assert.equal((await events(page)).at(-1), ['details', { kind: 'node', index: 0 }]);
  const zoom = () => page.getByRole('button', { name: /^Actual size/ }).innerText();
  await press('1');
  await settled(page);
  assert.is(await zoom(), '100 %');
  await press('+');
  await settled(page);
  assert.is(await zoom(), '125 %');
  await press('0');
  await settled(page);
  assert.is.not(await zoom(), '125 %');
  await close();
});

test('the tree says what is in sight: operator, name, type, figure and marks', async () => {
  const { page, close } = await shown(40);
  await page.evaluate(() => {
    stage.heat((node) => node / 10);
    stage.view.setBadges(Uint8Array.of(0, 0, 3));
    stage.view.select({ kind: 'node', index: 2 });
    stage.view.focus();
  });
  await settled(page);
  const item = page.getByRole('treeitem', { name: /node_2,/ });
  assert.is(
    await item.textContent(),
    'MatMul, /network/block/node_2, float32[batch, 128, 56, 56], 0.2 ms, error, NaN or infinity',
  );
  assert.is(await item.getAttribute('aria-selected'), 'true');
  assert.is(await item.getAttribute('aria-level'), '2');
  assert.is(await page.getByRole('tree').getAttribute('aria-activedescendant'), await item.getAttribute('id'));
  assert.match(
    await page.getByRole('tree').ariaSnapshot(),
    /treeitem "Block 0, network\/block.0, 48 nodes, [\d.]+ ms" \[expanded\] \[level=1\]/,
  );
  await close();
});

test('of many boxes the tree has some hundreds, the selected one among them', async () => {
  const { page, close } = await shown(10_000);
  await page.evaluate(() => {
    stage.view.fit();
    stage.view.select({ kind: 'node', index: 9000 });
  });
  await settled(page);
  assert.is(await page.getByRole('treeitem').count(), 300);
  assert.is(await page.locator('[aria-selected=true]').count(), 1);
  await close();
});

for (const theme of ['light', 'dark', 'forced'] as const) {
  test(`axe finds nothing, ${theme}`, async () => {
    const forced = theme === 'forced';
    const { page, close } = await shown(300, forced ? { forcedColors: 'active' } : {}, forced ? 'light' : theme);
    await page.evaluate(() => stage.view.select({ kind: 'node', index: 2 }));
    await page.addScriptTag({ content: axe.source });
    const found = await page.evaluate(async () => {
      const { violations } = await (
        globalThis as unknown as { axe: { run(of: string): Promise<{ violations: { id: string }[] }> } }
      ).axe.run('main');
      return violations.map(({ id }) => id);
    });
    assert.equal(found, []);
    await close();
  });
}

test('heat and themes are seen: pixels of a box have the colours that the theme says', async () => {
  const { page, close } = await shown(40);
  const pixel = async () => {
    const { x, y, width } = await placeOf(page, /node_7,/);
    return page.evaluate(
      ([x, y]) => {
        const canvas = document.querySelector('.graph-surface') as HTMLCanvasElement;
        return [...(canvas.getContext('2d') as CanvasRenderingContext2D).getImageData(x, y, 1, 1).data].slice(0, 3);
      },
      [Math.round(x + width - 4), Math.round(y + 6)] as const,
    );
  };
  assert.equal(await pixel(), [0xff, 0xff, 0xff]);
  const most = await page.evaluate(() => {
    return stage.heat((node) => (node === 7 ? 12 : 1));
  });
  await settled(page);
  assert.is(most, 12);
  assert.equal(await pixel(), [0xc2, 0x41, 0x0c]);
  await page.evaluate(() => {
    document.documentElement.dataset.theme = 'dark';
  });
  await settled(page);
  assert.equal(await pixel(), [0xf0, 0x76, 0x3a]);
  await page.evaluate(() => void stage.view.setHeat(undefined));
  await settled(page);
  assert.equal(await pixel(), [0x1f, 0x1d, 0x1b]);
  await close();
});

test('the map moves the drawing, and is hidden where there is no room', async () => {
  const { page, close } = await shown(1000);
  const map = page.locator('.graph-minimap');
  const box = await map.boundingBox();
  if (!box) throw new Error('there is no map');
  await page.mouse.click(box.x + box.width - 8, box.y + box.height - 8);
  await settled(page);
  const last = await page.evaluate(() => stage.generated(1000).outline.nodes.count - 1);
  assert.is(await page.getByRole('treeitem', { name: new RegExp(`node_${last},`) }).count(), 1);
  await page.setViewportSize({ width: 390, height: 800 });
  await settled(page);
  assert.is(await map.isVisible(), false);
  await close();
});

test('what was hidden for a while is where it was', async () => {
  const { page, close } = await shown(40);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Home');
  await settled(page);
  const before = await placeOf(page, /node_2,/);
  const display = (value: string) =>
    page.locator('main').evaluate((main, value) => main.style.setProperty('display', value), value);
  await display('none');
  await settled(page);
  await display('');
  await settled(page);
  assert.equal(await placeOf(page, /node_2,/), before);
  await close();
});

test('SVG and PNG are the canvas: text escaped, less than a hundredth of the pixels different', async () => {
  const { page, close } = await shown(300);
  const { differing, svg, errors } = await page.evaluate(async () => {
    const drawn = stage.generated(300);
    const strings = [...drawn.outline.strings];
    strings[1] = 'a<b>&"\u0001';
    stage.view.show({ ...drawn, outline: { ...drawn.outline, strings } });
    const [svg, png] = [await stage.view.svg(), await stage.view.png(1)];
    const text = await svg.text();
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return {
      differing: await stage.differing(svg, png, 8),
      svg: [...parsed.querySelectorAll('text')].map(({ textContent }) => textContent),
      errors: parsed.querySelectorAll('parsererror').length,
    };
  });
  assert.is(errors, 0);
  assert.ok(svg.includes('a<b>&"\uFFFD') && svg.includes('Relu') && svg.includes('Block 0'), svg.slice(0, 20).join());
  assert.ok(differing < 0.01, `${differing}`);
  await close();
});

test('10 000 nodes are shown, walked and exported', async () => {
  const { page, close } = await openCanvas();
  await page.evaluate(() => stage.take(stage.generated(10_000)));
  {
    await page.evaluate(() => stage.view.show(stage.taken()));
    await settled(page);
    await page.keyboard.press('Tab');
    for (const key of ['0', 'Home', 'ArrowDown', 'ArrowDown', 'End', '1']) await page.keyboard.press(key);
    await settled(page);
    await page.evaluate(() => void stage.heat((node) => node));
    await settled(page);
    const [svg, png] = await page.evaluate(async () => [
      (await stage.view.svg()).size,
      (await stage.view.png(0.5)).size,
    ]);
    assert.ok((svg as number) > 1e6 && (png as number) > 1e6);
  }
  await close();
});

test('10 000 nodes as SVG are those as PNG, pixel by pixel but for a hundredth, and both open elsewhere', async () => {
  const { page, close } = await shown(10_000);
  const { different, inked, errors, titles, png } = await page.evaluate(async () => {
    const [svg, png] = [await stage.view.svg(), await stage.view.png(1)];
    const parsed = new DOMParser().parseFromString(await svg.text(), 'image/svg+xml');
    const paper = new Blob([(await svg.text()).replace(/(<rect [^>]*>)[\s\S]*$/, '$1</svg>')], { type: svg.type });
    const url = await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(`${reader.result}`);
      reader.readAsDataURL(png);
    });
    return {
      different: await stage.differing(svg, png, 8),
      inked: await stage.differing(paper, png, 8),
      errors: parsed.querySelectorAll('parsererror').length,
      titles: parsed.querySelectorAll('text').length,
      png: url.slice(url.indexOf(',') + 1),
    };
  });
  assert.is(errors, 0);
  assert.ok(titles >= 10_000, `${titles} texts`);
  assert.ok(inked > 0.1 && different < 0.01 * inked, `${different} of ${inked}`);
  const { width, height } = decoded(Buffer.from(png, 'base64'));
  assert.ok(width > 10_000 && height > 5000, `${width} × ${height}`);
  await close();
});

/** The size of a PNG, whose pieces are whole and whose data are as many as its size says. */
function decoded(png: Buffer): { readonly width: number; readonly height: number } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const end = at + 8 + png.readUInt32BE(at);
    assert.is(crc32(png.subarray(at + 4, end)), png.readUInt32BE(end));
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, end));
  }
  assert.is(inflateSync(Buffer.concat(data)).length, height * (1 + 3 * width));
  return { width, height };
}

test('a PNG larger than any canvas is refused by the number of pixels, not before', async () => {
  const { page, close } = await shown(40);
  const said = await page.evaluate(() => stage.view.png(60).catch((error: Error) => error.message));
  assert.match(`${said}`, /the drawing is \d+ × \d+ pixels, and a PNG here can have 500 million/);
  await close();
});

test('a PNG may be longer than any canvas', async () => {
  const { page, close } = await shown(40);
  const bytes = await page.evaluate(async () => {
    const drawn = stage.generated(40);
    stage.view.show({ ...drawn, picture: { ...drawn.picture, width: 100, height: 40_000 } });
    return [...new Uint8Array(await (await stage.view.png(1)).arrayBuffer())];
  });
  assert.is(decoded(Buffer.from(bytes)).height, 40_032);
  await close();
});

test('an empty graph is said to be one, and a single node is drawn', async () => {
  const { page, close } = await openCanvas();
  await page.evaluate(() => stage.showEmpty());
  await settled(page);
  assert.is(await page.getByRole('group', { name: 'Graph without nodes' }).count(), 1);
  await page.keyboard.press('Tab');
  for (const key of ['ArrowDown', 'Enter', 'Home', 'End', '0', '+']) await page.keyboard.press(key);
  assert.is(
    await page.evaluate(async () => (await stage.view.svg()).size > 100 && (await stage.view.png(2)).size > 50),
    true,
  );
  await page.evaluate(() => stage.show(1));
  await settled(page);
  assert.is(await page.getByRole('treeitem').count(), 2);
  await close();
});

test.run();
