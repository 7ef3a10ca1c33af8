import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InferenceSession } from '../../src/index.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { transformer } from '../../studio/src/app/samples/transformer.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/samples');
test.after(closeStudio);

const sample = (page: Page, title: string) =>
  page.getByRole('region', { name: 'Samples' }).getByRole('button', { name: title });

test('the transformer is the same each time, and runs', async () => {
  const [bytes, again] = [await transformer().arrayBuffer(), await transformer().arrayBuffer()];
  assert.ok(Buffer.from(bytes).equals(Buffer.from(again)));
  const session = await InferenceSession.create(new Uint8Array(bytes));
  const tokens = { type: 'int64', data: BigInt64Array.of(1n, 5n, 9n), dims: [1, 3] } as const;
  const { logits } = (await session.run({ tokens })) as unknown as { logits: TensorValue };
  assert.equal(logits.dims, [1, 3, 96]);
  assert.ok([...(logits.data as Float32Array)].every((each) => Number.isFinite(each) && Math.abs(each) < 100));
  await session.release();
});

test('each sample opens without a file or a network', async () => {
  const { page, problems, close } = await openStudio({ isKept: true });
  await page.waitForFunction(() => navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated'));
  await page.reload();
  await page.context().setOffline(true);
  await sample(page, 'Image classifier').click();
  await comesTo(() => page.title(), /^digits\.onnx/);
  await page.reload();
  await sample(page, 'Transformer').click();
  await comesTo(() => page.title(), /^transformer\.onnx/);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await page.reload();
  await sample(page, 'Training log').click();
  await page.getByRole('figure', { name: 'loss/train', exact: true }).getByRole('table').waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
