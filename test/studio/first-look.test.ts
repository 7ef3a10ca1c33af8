import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { closeStudio, openFiles, openStudio } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite<{ folder: string }>('studio/first look');
test.before((context) => {
  context.folder = mkdtempSync(join(tmpdir(), 'sardonyx-studio-'));
});
test.after(async ({ folder }) => {
  rmSync(folder, { recursive: true });
  await closeStudio();
});

const SIDE = 768;

/** A stem that makes NaN of what is below 2, and a head with nearly all of the work. */
function unseen(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const weights = b.constant('w', tensor('float32', [SIDE, SIDE], new Float32Array(SIDE * SIDE).fill(0.001)));
  const two = b.constant('two', tensor('float32', [], [2]));
  const x = b.input('x', 'float32', [256, SIDE]);
  const root = b.op('Sqrt', [b.op('Sub', [x, two])]);
  const mixed = b.op('MatMul', [b.op('MatMul', [root, weights]), weights]);
  b.output('y', mixed);
  const model = ModelProto.decode(b.toBytes());
  model.graph?.node.forEach((node, i) => {
    node.name = NAMES[i] as string;
  });
  return ModelProto.encode(model).finish();
}

/** In the page: a number for each click of the mouse; to choose from a list takes two. */
const COUNT = `
window.clicks = [];
addEventListener('click', ({ isTrusted, detail }) => void (isTrusted && detail && clicks.push(1)), true);
addEventListener('change', ({ target }) => void (target.matches('select') && clicks.push(2)), true);`;

const NAMES = ['/stem/less/Sub', '/stem/root/Sqrt', '/head/mix/MatMul', '/head/mix/MatMul_1'];

test('the slowest module, the peak of memory and the first NaN of an unseen model take ten clicks each at most', async ({
  folder,
}) => {
  const { page, problems, close } = await openStudio();
  await page.evaluate(COUNT);
  const click = (role: 'tab' | 'button', name: string) => page.getByRole(role, { name, exact: true }).first().click();
  const isWithinTen = async (question: string) => {
    const clicks = await page.evaluate<number>('clicks.splice(0).reduce((sum, each) => sum + each, 0)');
    console.log(`      ${question}: ${clicks} clicks`);
    assert.ok(clicks > 0 && clicks <= 10, `${clicks}`);
  };
  const details = page.getByRole('complementary', { name: 'Details' });
  const path = join(folder, 'unseen.onnx');
  writeFileSync(path, unseen());
  await openFiles(page, path);

  await click('tab', 'Measure');
  await click('button', 'Measure');
  await page.getByLabel(/^Group by/).selectOption('module');
  const slowest = page.getByRole('table', { name: 'Costs by module' }).getByRole('row').nth(1);
  await comesTo(() => slowest.innerText(), /head/);
  await slowest.getByRole('button').click();
  await details.getByRole('heading', { name: /head/ }).waitFor();
  await isWithinTen('the slowest module');

  await click('tab', 'Memory');
  // What is held at once where the products run: two floats for each of 256 × 768.
  await comesTo(() => page.getByText(/^Peak/).innerText(), /Peak 1\.57 MB/);
  await isWithinTen('the peak of memory');

  await click('tab', 'Understand');
  await click('button', 'Capture');
  const status = page.getByRole('status').filter({ hasText: 'First in' });
  await status.waitFor();
  await comesTo(() => status.innerText(), new RegExp(`computed by Sqrt: ${256 * SIDE} NaN of ${256 * SIDE}`));
  await status.getByRole('button', { name: 'Show' }).click();
  await details.getByText('/stem/root/Sqrt').first().waitFor();
  await isWithinTen('the first NaN');
  assert.equal(problems, []);
  await close();
});

test.run();
