import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ModelProto } from '../../build/onnx.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';

const test = suite('studio/trust');
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

/** Mulberry32: equal seeds give equal damage. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function damaged(seed: number): Uint8Array {
  const random = randomNumbers(seed);
  const end = seed % 3 === 0 ? Math.floor(random() * digits.length) : digits.length;
  const bytes = Uint8Array.from(digits.subarray(0, end));
  // Most of the file is weights, which tell nothing: half of the damage is done to the structure before them.
  for (let i = 0; i < 8; i++) {
    const reach = i % 2 ? 2000 : bytes.length;
    bytes[Math.floor(random() * Math.min(reach, bytes.length))] = Math.floor(random() * 256);
  }
  return bytes;
}

const TRIALS = Number(process.env.SARDONYX_TRIALS ?? 150);

test(`${TRIALS} damaged models are drawn or refused, and the page goes on`, async () => {
  const { page, problems, close } = await openStudio();
  let refused = 0;
  for (let seed = 0; seed < TRIALS; seed++) {
    await drop(page, `damaged-${seed}.onnx`, damaged(seed));
    const messages = page.getByRole('log').getByRole('button', { name: 'Dismiss' });
    refused += await messages.count();
    while (await messages.count()) await messages.first().click();
  }
  console.log(`      ${refused} messages`);
  assert.ok(refused > 0 && refused < TRIALS * 2);
  await drop(page, 'whole.onnx', digits);
  await page.getByRole('heading', { name: 'whole.onnx' }).waitFor();
  assert.equal(problems, []);
  await close();
});

test('names and descriptions are text, whatever is in them', async () => {
  const trap = '<img src=x onerror="window.caught=1"><script>window.caught=1</script>';
  const model = ModelProto.decode(digits);
  model.producerName = trap;
  model.docString = trap;
  const [node] = model.graph?.node ?? [];
  if (!node || !model.graph) throw new Error('the digits network has nodes');
  node.name = trap;
  node.docString = trap;
  model.graph.name = trap;
  const { page, problems, close } = await openStudio();
  await drop(page, `${trap.replaceAll('/', '')}.onnx`, ModelProto.encode(model).finish());
  await page.getByText(trap).first().waitFor();
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
