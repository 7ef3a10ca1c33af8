import { suite } from 'uvu';
import { type Browser, chromium } from './chromium.js';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { expectServed } from './shown-outcomes.js';

const test = suite<{ app: FrameworkApp; browser: Browser }>('Astro');
const launch = chromium();

const ASTRO = 'astro/bin/astro.mjs';

if (launch) {
  test('is installed', async (context) => {
    context.browser = await launch();
    context.app = frameworkApp('astro', { newestNode: true });
  });

  test.after(async ({ app, browser }) => {
    await browser?.close();
    app?.remove();
  });

  test('built: an endpoint and a page', async ({ app, browser }) => {
    await app.run(ASTRO, ['build']);
    await expectServed(await app.serve('../dist/server/entry.mjs', []), browser, 'run');
  });
}

test.run();
