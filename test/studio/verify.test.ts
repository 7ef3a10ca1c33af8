import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readValue } from '../../src/model/read-values.js';
import { writeValue } from '../../src/model/write-values.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { leading } from '../tier.js';
import { f32 } from '../values.js';
import { closeStudio, openStudio, type Page, shared } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = leading(suite<{ root: string }>('studio/verify'), { ci: 1 });

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const MODELS = ['lstm', 'digits_cnn_trained', 'iris_pipeline_trained'];

/** A folder of models with test data, one of a wrong expectation, and a zip file of it. */
test.before((context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-verify-'));
  const zoo = join(context.root, 'zoo');
  for (const name of MODELS) cpSync(shared(`models/${name}`), join(zoo, name), { recursive: true });
  const wrong = join(zoo, 'wrong');
  cpSync(shared('models/lstm'), wrong, { recursive: true });
  const place = join(wrong, 'test_data_set_1/output_0.pb');
  const { dims, data } = readValue(readFileSync(place), 'tensor') as TensorValue;
  rmSync(place, { force: true });
  writeFileSync(
    place,
    writeValue(
      f32(
        dims,
        (data as Float32Array).map((x) => x * 1.01),
      ),
    ),
  );
  const files = readdirSync(zoo, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  const contents = files.map((path) => [`zoo/${path}`, new Uint8Array(readFileSync(join(zoo, path)))] as const);
  writeFileSync(join(context.root, 'zoo.zip'), zipSync(Object.fromEntries(contents), { level: 1 }));
});
test.after(closeStudio);
test.after(({ root }) => rmSync(root, { recursive: true, force: true }));

const known = new Map<string, string>();

/** What the command prints, whose exit status says that something is off. */
function printed(...args: string[]): string {
  const text = known.get(`${args}`) ?? run([CLI, 'verify', ...args, '--json', '--variant', 'simd']);
  known.set(`${args}`, text);
  return text;
}

const run = (args: string[]): string => spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;

const panel = (page: Page) => page.getByRole('region', { name: 'Verify', exact: true });
const findings = (page: Page) => panel(page).getByRole('region', { name: 'Results' });

async function openPanel(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Verify' }).click();
  await panel(page).getByRole('heading', { name: 'Verify' }).waitFor();
}

async function saved(page: Page): Promise<string> {
  await findings(page)
    .getByRole('status')
    .getByText(/within tolerance|out of tolerance/)
    .first()
    .waitFor();
  await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
  const given = page.waitForEvent('download');
  await findings(page).getByRole('button', { name: 'Save JSON' }).click();
  return readFileSync(await (await given).path(), 'utf8');
}

/** Drops files and folders as the browser does. */
async function dropped(page: Page, ...paths: string[]): Promise<void> {
  const client = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await client.send('Input.dispatchDragEvent', { type, x: 900, y: 500, data });
}

/** Lets the page's folder dialog give a folder of its own file system. */
async function givesFolder(page: Page, root: string): Promise<void> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
  const contents = files.map((path) => [path, readFileSync(join(root, path)).toString('base64')] as const);
  await page.evaluate(async (list) => {
    const top = await navigator.storage.getDirectory();
    const folder = await top.getDirectoryHandle('zoo', { create: true });
    for (const [path, text] of list) {
      const steps = path.split('/');
      let place = folder;
      for (const step of steps.slice(0, -1)) place = await place.getDirectoryHandle(step, { create: true });
      const file = await (await place.getFileHandle(steps.at(-1) as string, { create: true })).createWritable();
      await file.write(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
      await file.close();
    }
    Object.assign(window, { showDirectoryPicker: Promise.resolve.bind(Promise, folder) });
  }, contents);
}

const WAYS: Readonly<Record<string, (page: Page, root: string) => Promise<void>>> = {
  'a folder that is dropped': (page, root) => dropped(page, join(root, 'zoo')),
  'a zip file that is dropped': (page, root) => dropped(page, join(root, 'zoo.zip')),
  'a zip file that is chosen': (page, root) =>
    panel(page).getByLabel('Choose zip file').setInputFiles(join(root, 'zoo.zip')),
  'a folder that is chosen': async (page, root) => {
    await page.evaluate('delete window.showDirectoryPicker; window.showDirectoryPicker = undefined');
    const chooser = page.waitForEvent('filechooser');
    await panel(page).getByRole('button', { name: 'Choose folder' }).click();
    await (await chooser).setFiles(join(root, 'zoo'));
  },
  'a folder that is read in place': async (page, root) => {
    await givesFolder(page, join(root, 'zoo'));
    await panel(page).getByRole('button', { name: 'Choose folder' }).click();
  },
};

for (const [name, give] of Object.entries(WAYS))
  test(`verifies ${name} as the command does, figure by figure`, async ({ root }) => {
    const { page, problems, close } = await openStudio();
    await openPanel(page);
    await give(page, root);
    assert.is(await saved(page), printed(join(root, 'zoo')));
    const rows = await findings(page).getByRole('row').allInnerTexts();
    assert.is(rows.length - 1, JSON.parse(printed(join(root, 'zoo'))).outputs.length);
    await comesTo(() => findings(page).getByRole('status').innerText(), /^1 out of tolerance 4 models, \d+ outputs/);
    const off = rows.filter((row) => row.startsWith('FAIL'));
    assert.match(off.join(), /^FAIL\s+wrong\s+1\s/);
    assert.equal(problems, []);
    await close();
  });

test('one model’s folder; other bounds judge what was measured anew', async ({ root }) => {
  const { page, problems, close } = await openStudio();
  await openPanel(page);
  await dropped(page, join(root, 'zoo/wrong'));
  assert.is(await saved(page), printed(join(root, 'zoo/wrong')));
  await panel(page).getByLabel('Max relative L2 error').fill('10');
  await findings(page).getByRole('status').getByText('all within tolerance').waitFor();
  assert.is(await saved(page), printed(join(root, 'zoo/wrong'), '--tolerance', '10'));
  await panel(page).getByLabel('Max relative L2 error').fill('1e-12');
  const all = await findings(page).getByRole('row').count();
  await findings(page).getByLabel('Only out of tolerance').check();
  const failed = JSON.parse(printed(join(root, 'zoo/wrong'), '--tolerance', '1e-12')).failed;
  await comesTo(async () => (await findings(page).getByRole('row').count()) - 1, failed);
  assert.ok(failed > 0 && failed <= all - 1);
  assert.equal(problems, []);
  await close();
});

test('can be cancelled, says where there is nothing, and what is damaged; models alone are opened', async ({
  root,
}) => {
  const { page, problems, close } = await openStudio();
  await openPanel(page);
  await dropped(page, join(root, 'zoo'));
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('banner').getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  const zip = (name: string, bytes: Uint8Array) => ({ name, mimeType: 'application/zip', buffer: Buffer.from(bytes) });
  const input = panel(page).getByLabel('Choose zip file');
  await input.setInputFiles(zip('empty.zip', zipSync({ 'x/readme.txt': new Uint8Array(3) })));
  await page.getByRole('log').getByText('"x" contains no model with test data').waitFor();
  await input.setInputFiles(zip('cut.zip', readFileSync(join(root, 'zoo.zip')).subarray(0, 5000)));
  await page.getByRole('log').getByText('no zip file').waitFor();
  await dropped(page, join(root, 'zoo/lstm/model.onnx'));
  await page.getByRole('tab', { name: 'Model' }).click();
  await page.getByRole('heading', { name: 'model.onnx' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
