import { suite } from 'uvu';
import { type Browser, chromium } from './chromium.js';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { expectServed } from './shown-outcomes.js';

const launch = chromium();

const NEXT = 'next/dist/bin/next';

/** By version, the options for each bundler; the first is its own choice. */
const VERSIONS = {
  'next-15': { webpack: [], turbopack: ['--turbopack'] },
  'next-16': { turbopack: [], webpack: ['--webpack'] },
};

for (const [version, bundlers] of launch ? Object.entries(VERSIONS) : []) {
  const test = suite<{ browser: Browser; app: FrameworkApp }>(version);

  test('is installed', async (context) => {
    context.browser = await (launch as () => Promise<Browser>)();
    context.app = frameworkApp(version, { sources: 'next' });
  });

  test.after(async ({ app, browser }) => {
    await browser?.close();
    app?.remove();
  });

  for (const [bundler, options] of Object.entries(bundlers)) {
    test(`built by ${bundler}: a route and a client component`, async ({ app, browser }) => {
      await app.run(NEXT, ['build', ...options]);
      await expectServed(await app.serve(NEXT, ['start']), browser, 'api/run');
    });
  }

  test('in development', async ({ app, browser }) => {
    await expectServed(await app.serve(NEXT, ['dev']), browser, 'api/run');
  });

  test.run();
}
