// Takes the pictures of docs/studio.md, of the built page with a model of examples/ or a file given.
// usage: npm run studio:build && node --import tsx studio/tools/pictures.ts [MODEL]
import { fileURLToPath } from 'node:url';
import {
  closeStudio,
  type Opened,
  openFiles,
  openStudio,
  type Page,
  type Setting,
} from '../../test/studio/studio-page.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const digits = at('../../examples/digits/model.onnx');
const model = process.argv[2] ?? digits;

const tool = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

async function drawSeven(page: Page): Promise<void> {
  const pad = page.getByRole('application', { name: /^Drawing/ });
  await pad.waitFor();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the pad is in sight');
  const to = (x: number, y: number, steps = 6) =>
    page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps });
  await to(0.35, 0.25, 1);
  await page.mouse.down();
  await to(0.65, 0.25);
  await to(0.45, 0.8);
  await page.mouse.up();
}

interface Picture {
  readonly name: string;
  readonly model?: string;
  readonly setting: Setting;
  readonly act: (page: Page) => Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'see',
    model,
    setting: { scheme: 'light' },
    act: (page) => page.getByRole('heading', { name: 'Operators' }).waitFor(),
  },
  {
    name: 'run',
    setting: { scheme: 'light' },
    async act(page) {
      await page.getByRole('button', { name: 'Take the tour' }).click();
      await page.getByRole('button', { name: 'Next' }).click();
      await drawSeven(page);
      await page.getByRole('button', { name: 'End tour' }).click();
    },
  },
  {
    name: 'measure',
    model,
    setting: { scheme: 'dark' },
    async act(page) {
      await tool(page, 'Measure');
      await page.getByRole('region', { name: 'Measure' }).getByRole('button', { name: 'Measure' }).click();
      await page.getByText('Sum of steps').waitFor({ timeout: 60_000 });
      await tool(page, 'Memory');
    },
  },
  {
    name: 'quantise',
    model: digits,
    setting: { scheme: 'light' },
    async act(page) {
      await tool(page, 'Quantize');
      await page.locator('input[type=file][multiple]').setInputFiles(at('../../examples/digits/images.npy'));
      await page.getByRole('region', { name: 'Quantize' }).getByRole('button', { name: 'Quantize' }).click();
      await page.getByRole('region', { name: 'Result' }).waitFor({ timeout: 60_000 });
    },
  },
];

async function take({ name, model, setting, act }: Picture): Promise<void> {
  const { page, close }: Opened = await openStudio({ width: 1440, height: 900, ...setting });
  if (model) {
    await openFiles(page, model);
    await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  }
  await act(page);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: at(`../../docs/studio/${name}.png`) });
  await close();
}

for (const picture of PICTURES) await take(picture);
await closeStudio();
process.exit();
