import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { byTier, leading } from '../tier.js';
import { notedModel } from './details-model.js';
import { mutantOf, TRAP } from './mutants.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';

const test = leading(suite('studio/trust'), { ci: 2 });
test.after(closeStudio);

const digits = readFileSync(fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url)));

/** Drops bytes on the page as a file, and waits until nothing goes on any more. */
async function drop(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  await page.evaluate(
    ([name, text]) => {
      const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([bytes], name));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true, bubbles: true }));
    },
    [name, Buffer.from(bytes).toString('base64')] as const,
  );
  await page.getByRole('banner').locator('progress').waitFor({ state: 'detached' });
}

const TRIALS = Number(process.env.SARDONYX_TRIALS ?? byTier({ quick: 60, ci: 60, all: 150 }));

/** bench/studio/mutants.ts drops 10,000 of more models. */
test(`${TRIALS} mutated models are drawn, or refused with the place, and the page goes on`, async () => {
  const { page, problems, close } = await openStudio();
  const models = { digits, noted: readFileSync(notedModel()) };
  const refusals: string[] = [];
  for (let seed = 0; seed < TRIALS; seed++) {
    const { name, bytes } = mutantOf(seed, models);
    await drop(page, name, bytes);
    const messages = page.getByRole('log').locator('.notice');
    refusals.push(...(await messages.allInnerTexts()));
    while (await messages.count()) await messages.first().getByRole('button', { name: 'Dismiss' }).click();
  }
  console.log(`      ${refusals.length} messages`);
  assert.ok(refusals.length > 0 && refusals.length < TRIALS);
  assert.equal(
    refusals.filter((text) => !/at byte \d+/.test(text)),
    [],
  );
  assert.is(await page.evaluate('window.caught'), undefined);
  await drop(page, 'whole.onnx', digits);
  await page.getByRole('heading', { name: 'whole.onnx' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('names and descriptions are text, whatever is in them', async () => {
  const model = ModelProto.decode(digits);
  model.producerName = TRAP;
  model.docString = TRAP;
  const [node] = model.graph?.node ?? [];
  if (!node || !model.graph) throw new Error('the digits network has nodes');
  node.name = TRAP;
  node.docString = TRAP;
  model.graph.name = TRAP;
  const { page, problems, close } = await openStudio();
  await drop(page, `${TRAP.replaceAll('/', '')}.onnx`, ModelProto.encode(model).finish());
  await page.getByText(TRAP).first().waitFor();
  for (const name of ['Find', 'Run', 'Measure', 'Weights', 'Understand', 'Edit'])
    await page.getByRole('tab', { name, exact: true }).click();
  assert.is(await page.evaluate('window.caught'), undefined);
  assert.equal(problems, []);
  await close();
});

const OPENED = 200;

test(`${OPENED} models opened one after the other leave no memory behind`, async () => {
  const { page, close } = await openStudio();
  const megabytes = () =>
    page.evaluate<number>('performance.measureUserAgentSpecificMemory().then(({ bytes }) => bytes / 1e6)');
  for (let i = 0; i < 20; i++) await drop(page, `first-${i}.onnx`, digits);
  const before = await megabytes();
  for (let i = 0; i < OPENED; i++) await drop(page, `${i}.onnx`, digits);
  const after = await megabytes();
  console.log(`      ${before.toFixed(1)} MB, then ${after.toFixed(1)} MB`);
  assert.ok(after - before < 30);
  await close();
});

test.run();
