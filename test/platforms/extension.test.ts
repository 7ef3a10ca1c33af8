import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chromium, type ExtendedBrowser, launchWithExtension } from './chromium.js';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { disagreements, shownAt } from './shown-outcomes.js';

const test = suite<{ app: FrameworkApp; browser: ExtendedBrowser }>('an extension of Chromium');
if (chromium()) {
  test('is installed', async (context) => {
    context.app = frameworkApp('extension');
    context.browser = await launchWithExtension(context.app.folder);
  });

  test.after(async ({ app, browser }) => {
    await browser?.close();
    app?.remove();
  });

  test('a page of it, isolated, and its service worker', async ({ browser }) => {
    const { serviceWorker, ...page } = await shownAt(`${browser.origin}/page.html`, browser);
    assert.equal(disagreements(page, 2), []);
    assert.equal(disagreements(serviceWorker as never, 1, ['main', 'rare']), []);
  });
}

test.run();
