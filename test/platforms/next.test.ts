import { cpSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  test('deployed without the rest of the project, as docs/platforms.md says', async ({ app, browser }) => {
    const settings = { output: 'standalone', outputFileTracingIncludes: { '/*': ['node_modules/sardonyx/**'] } };
    writeFileSync(join(app.folder, 'next.config.js'), `module.exports = ${JSON.stringify(settings)};`);
    await app.run(NEXT, ['build', ...bundlers.webpack]);
    for (const folder of ['public', '.next/static'])
      cpSync(join(app.folder, folder), join(app.folder, '.next/standalone', folder), { recursive: true });
    const [installed, away] = ['node_modules/sardonyx', 'sardonyx-away'].map((name) => join(app.folder, name));
    renameSync(installed as string, away as string);
    await expectServed(await app.serve('../.next/standalone/server.js', []), browser, 'api/run');
    renameSync(away as string, installed as string);
    rmSync(join(app.folder, 'next.config.js'));
  });

  test('in development', async ({ app, browser }) => {
    await expectServed(await app.serve(NEXT, ['dev']), browser, 'api/run');
  });

  test.run();
}
