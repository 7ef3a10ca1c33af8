import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log/index.js';
import { violations } from './axe.js';
import { closeStudio, openStudio } from './studio-page.js';
import { comesTo } from './waiting.js';

const test = suite('studio/markdown');
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-markdown-'));
test.after(async () => {
  rmSync(folder, { recursive: true });
  await closeStudio();
});

const TEXT = `# Results

**bold** and \`code\`, [a page](https://example.com/)

| run | loss |
|---|--:|
| a | 0.5 |

- [x] done
`;

const HOSTILE = `<script>globalThis.ran = 'script'</script>
<img src="missing.png" onerror="globalThis.ran = 'image'">
<a href="javascript:globalThis.ran = 'link'">press</a>
<b onclick="globalThis.ran = 'click'" style="position: fixed" id="studio">bold</b>
<svg><style><img src=x onerror="globalThis.ran = 'svg'"></style></svg>
<iframe srcdoc="<script>parent.ran = 'frame'</script>"></iframe>

[press](javascript:globalThis.ran='markdown') ![chart](https://example.com/chart.png)
`;

test('text summaries are rendered as Markdown, HTML in them runs and loads nothing, and their source can be seen', async () => {
  const log = createLog(join(folder, 'run'));
  log.text('results', TEXT, 0);
  log.text('hostile', HOSTILE, 0);
  await log.close();
  const { page, problems, close } = await openStudio();
  await page.getByRole('tab', { name: 'Watch' }).click();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open log folder' }).click();
  await (await chooser).setFiles(folder);
  const results = page.getByRole('figure', { name: /^results/ });
  await results.getByRole('heading', { name: 'Results', exact: true }).waitFor();
  assert.is(await results.locator('strong').innerText(), 'bold');
  assert.is(await results.locator('code').innerText(), 'code');
  assert.equal(await results.getByRole('row').allInnerTexts(), ['run\tloss', 'a\t0.5']);
  assert.is(await results.getByRole('listitem').innerText(), '☑ done');
  const link = results.getByRole('link', { name: 'a page' });
  assert.is(await link.getAttribute('href'), 'https://example.com/');
  assert.is(await link.getAttribute('rel'), 'noopener noreferrer');

  const hostile = page.getByRole('figure', { name: /^hostile/ });
  for (const text of ['<script>', 'onerror=', 'javascript:', 'onclick=', '<svg>', '<iframe']) {
    await hostile.getByText(text).first().click();
    assert.ok((await hostile.innerText()).includes(text), text);
  }
  await hostile.getByText('press chart', { exact: true }).click();
  await hostile.getByText('press', { exact: true }).click();
  assert.is(
    await hostile.locator('.markdown :is(script, img, svg, style, iframe, b, [href], [id], [style])').count(),
    0,
  );
  assert.is(await page.evaluate(() => (globalThis as { ran?: string }).ran), undefined);

  assert.equal(await violations(page, 'texts'), []);

  await page.getByLabel('Show Markdown source').check();
  await comesTo(() => hostile.locator('pre').textContent(), HOSTILE);
  assert.equal(problems, []);
  await close();
});

test('the licenses of what renders Markdown are with the page', () => {
  const text = readFileSync(new URL('../../studio/dist/licenses.txt', import.meta.url), 'utf8');
  for (const name of ['marked', 'dompurify']) assert.match(text, new RegExp(`^${name} \\d`, 'm'));
});

test.run();
