import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphProto } from '../../build/onnx.js';
import { withFields } from '../../src/model/document/changed.js';
import { loadModel, saveModel } from '../../src/tools/index.js';
import { closeStudio, openStudio, type Page } from './studio-page.js';

const test = suite<{ root: string }>('studio/side by side');
const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

/** The digits network with other names of nodes and of its output, and one more node before the last. */
async function edited(): Promise<Uint8Array> {
  const model = await loadModel(readFileSync(digits));
  const graph = model.proto.graph as GraphProto;
  const node = graph.node.flatMap((one, i) => {
    const renamed = withFields(one, { name: `other ${i}` });
    if (one.opType !== 'Softmax') return [renamed];
    const more = withFields(one, { opType: 'Erf', attribute: [], name: 'more', output: ['more'] });
    return [more, withFields(renamed, { input: ['more'], output: ['shares'] })];
  });
  const output = graph.output.map((value) => withFields(value, { name: 'shares' }));
  const proto = withFields(model.proto, { graph: withFields(graph, { node, output }) });
  return saveModel({ ...model, proto, original: undefined });
}

test.before(async (context) => {
  context.root = mkdtempSync(join(tmpdir(), 'sardonyx-side-'));
  for (const folder of ['first', 'second']) mkdirSync(join(context.root, folder));
  writeFileSync(join(context.root, 'first/model.onnx'), readFileSync(digits));
  writeFileSync(join(context.root, 'second/model.onnx'), await edited());
});
test.after(closeStudio);
test.after(({ root }) => rmSync(root, { recursive: true, force: true }));

const panel = (page: Page) => page.getByRole('region', { name: 'Compare', exact: true });

/** Opens the first folder, and drops the second onto the panel. */
async function compared(page: Page, root: string): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open folder' }).click();
  await (await chooser).setFiles(join(root, 'first'));
  await page.getByRole('tab', { name: 'Compare' }).click();
  await panel(page).getByRole('heading', { name: 'Compare' }).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: [join(root, 'second')], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await devtools.send('Input.dispatchDragEvent', { type, x: 300, y: 400, data });
  await panel(page).getByRole('region', { name: 'Nodes' }).waitFor();
}

test('files of the same name are told apart by A and B and their folders, and so are names of nodes and outputs', async ({
  root,
}) => {
  const { page, problems, close } = await openStudio();
  await compared(page, root);
  const titles = ['A: first/model.onnx', 'B: second/model.onnx'];
  for (const name of titles) {
    await panel(page).getByRole('button', { name, exact: true }).waitFor();
    for (const region of ['Nodes', 'Sizes and times', 'Model properties'])
      await panel(page).getByRole('region', { name: region }).getByRole('columnheader', { name }).waitFor();
  }
  await panel(page)
    .getByRole('row', { name: /^renamed \/c1\/Conv Conv other 0 Conv/ })
    .waitFor();
  await panel(page).getByRole('button', { name: 'Time both' }).click();
  await panel(page)
    .getByRole('row', { name: /^A: probabilities, B: shares / })
    .waitFor();
  assert.equal(problems, []);
  await close();
});

test.run();
