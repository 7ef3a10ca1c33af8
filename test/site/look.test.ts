import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { closeSite, openSite, type Page, type Setting } from './site-page.js';

const test = suite('site/look');
test.after(closeSite);

const AXE = readFileSync(
  fileURLToPath(new URL('../../site/node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
);

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

async function violations(page: Page, where: string): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()');
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${where}: ${id}: ${html.slice(0, 200)} ${failureSummary.slice(0, 300)}`),
  );
}

const PAGES = ['/', '/gallery', '/tensors', '/api/sardonyx/cache', '/nothing-here'];

const SETTINGS: readonly Setting[] = [
  { width: 1440, scheme: 'light' },
  { width: 1024, scheme: 'dark' },
  { width: 390, scheme: 'light' },
];

for (const setting of SETTINGS)
  test(`${setting.width} pixels, ${setting.scheme}: axe-core finds nothing, and no page is wider`, async () => {
    const { page, problems, visit, close } = await openSite('/', setting);
    const found: string[] = [];
    for (const path of PAGES) {
      await visit(path);
      found.push(...(await violations(page, path)));
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      if (overflow > 0) found.push(`${path}: ${overflow} pixels wider than the page`);
    }
    assert.equal(found, []);
    assert.equal(
      problems.filter((each) => !/status of 404/.test(each)),
      [],
    );
    await close();
  });

test('390 pixels: the menu opens the pages', async () => {
  const { page, close } = await openSite('/limits', { width: 390 });
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('link', { name: 'Command line' }).click();
  await page.getByRole('heading', { level: 1, name: 'Command line' }).waitFor();
  await close();
});

test.run();
