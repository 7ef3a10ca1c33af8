import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeStudio, openFiles, openStudio } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/weight');
test.after(closeStudio);

const built = fileURLToPath(new URL('../../studio/dist', import.meta.url));
const digits = fileURLToPath(new URL('../../examples/digits/model.onnx', import.meta.url));

test('takes 130 kB of code, by gzip, until a model is drawn', async () => {
  const { page, close } = await openStudio();
  // In the order in which they are asked for. What infers types is loaded once the picture is there.
  const paths = new Set<string>();
  page.on('request', (request) => paths.add(new URL(request.url()).pathname));
  await page.reload();
  await openFiles(page, digits);
  await page.getByRole('treeitem').first().waitFor({ state: 'attached' });
  await comesTo(async () => [...paths].some((path) => path.includes('/types-of')), true);
  const inOrder = [...paths];
  const after = inOrder.findIndex((path) => path.includes('/types-of'));
  assert.ok(after > 0, inOrder.join('\n'));
  const code = inOrder
    .slice(0, after)
    .filter((path) => /\.(js|css)$|\/$/.test(path) && !path.endsWith('/service-worker.js'));
  const sizes = code.map((path) => {
    const bytes = gzipSync(readFileSync(`${built}${path === '/' ? '/index.html' : path}`), { level: 9 }).length;
    return [basename(path), bytes] as const;
  });
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  console.log(`      ${(total / 1000).toFixed(1)} kB in ${sizes.length} files`);
  assert.ok(
    sizes.some(([name]) => name.startsWith('documents.worker')) &&
      sizes.some(([name]) => name.startsWith('layout.worker')),
  );
  assert.ok(total <= 130_000, sizes.map(([name, bytes]) => `${name} ${bytes}`).join('\n'));
  await close();
});

test.run();
