// Takes the pictures of docs/studio.md, of the built page with a model of examples/ or a file given.
// usage: npm run studio:build && node --import tsx tools/studio-pictures.ts [MODEL]
import { fileURLToPath } from 'node:url';
import {
  closeStudio,
  type Opened,
  openFiles,
  openStudio,
  type Page,
  type Setting,
} from '../test/studio/studio-page.js';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const digits = at('../examples/digits/model.onnx');
const model = process.argv[2] ?? digits;

const tool = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click();

interface Picture {
  readonly name: string;
  readonly model: string;
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
      await tool(page, 'Quantise');
      await page.locator('input[type=file][multiple]').setInputFiles(at('../examples/digits/images.npy'));
      await page.getByRole('region', { name: 'Quantise' }).getByRole('button', { name: 'Quantise' }).click();
      await page.getByRole('region', { name: 'Outcome' }).waitFor({ timeout: 60_000 });
    },
  },
];

async function take({ name, model, setting, act }: Picture): Promise<void> {
  const { page, close }: Opened = await openStudio({ width: 1440, height: 900, ...setting });
  await openFiles(page, model);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await act(page);
  await page.waitForTimeout(1000);
  await page.screenshot({ path: at(`../docs/studio/${name}.png`) });
  await close();
}

for (const picture of PICTURES) await take(picture);
await closeStudio();
process.exit();
