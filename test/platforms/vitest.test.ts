import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { peers } from './packed-package.js';

const test = suite<{ app: FrameworkApp }>('Vitest');

if (peers()) {
  test('is installed', (context) => {
    context.app = frameworkApp('vitest', { newestNode: true });
  });

  test.after(({ app }) => app?.remove());

  for (const environment of ['node', 'jsdom'])
    test(environment, async ({ app }) => {
      const printed = await app.run('vitest/vitest.mjs', ['run', '--environment', environment]);
      assert.match(printed, /^ +Tests +6 passed \(6\)$/m); // Those of app/session-cases.cjs.
    });
}

test.run();
