import { decode } from 'fast-png';
import * as assert from 'uvu/assert';
import type { Page } from './browser.js';
import { HANDWRITING } from './handwriting.js';

/** What tells that the model is there. */
export const isReady = (page: Page) => page.waitForFunction('document.getElementById("download").hidden');

/** What tells that a reload needs no network. */
export const isKept = (page: Page) => page.waitForFunction('navigator.serviceWorker.controller');

export async function expectAllRecognized(page: Page): Promise<void> {
  const recognized: string[] = [];
  for (const digit of HANDWRITING.keys()) recognized.push(await recognizedAs(page, digit));
  assert.equal(recognized, [...HANDWRITING.keys()].map(String));
}

export async function recognizedAs(page: Page, digit: number): Promise<string> {
  await page.click('#clear');
  const { x, y, width, height } = await page.evaluate<DOMRect>(
    'document.getElementById("pad").getBoundingClientRect().toJSON()',
  );
  for (const stroke of HANDWRITING[digit] ?? []) {
    for (const [i, point] of stroke.entries()) {
      await page.mouse.move(x + width * point[0], y + height * point[1]);
      if (i === 0) await page.mouse.down();
    }
    await page.mouse.up();
  }
  await page.waitForFunction('document.getElementById("result").ariaBusy === "false"');
  return page.textContent('#answer');
}

type Colour = readonly [red: number, green: number, blue: number];

/** The contrast of what is drawn at a place of the unit square, with the paper, as it is seen. */
export async function contrastAt(page: Page, x: number, y: number): Promise<number> {
  const { width, height, channels, data } = decode(await page.locator('#pad').screenshot());
  const at = (x: number, y: number): Colour => {
    const i = channels * (Math.round(y * height) * width + Math.round(x * width));
    return [...data.subarray(i, i + 3)] as unknown as Colour;
  };
  return contrast(at(x, y), at(0.9, 0.5));
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(a: Colour, b: Colour): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: Colour): number {
  const [r, g, b] = colour.map((level) => {
    const share = level / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
