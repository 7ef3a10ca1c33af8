import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Browser, chromium } from './chromium.js';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { disagreements, shownAt } from './shown-outcomes.js';
import { serve } from './site.js';

const test = suite<{ app: FrameworkApp; browser: Browser }>('Angular');
const launch = chromium();

if (launch) {
  test('is installed', async (context) => {
    context.browser = await launch();
    context.app = frameworkApp('angular', { newestNode: true });
  });

  test.after(async ({ app, browser }) => {
    await browser?.close();
    app?.remove();
  });

  test('builds a page that runs, with the package among its assets', async ({ app, browser }) => {
    await app.run('@angular/cli/bin/ng.js', ['build']);
    const site = await serve(join(app.folder, 'dist/app/browser'));
    try {
      assert.equal(disagreements(await shownAt(`${site.address}/index.html`, browser), 1), []);
    } finally {
      site.close();
    }
  });
}

test.run();
