import { suite } from 'uvu';
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
      await app.run('vitest/vitest.mjs', ['run', '--environment', environment]);
    });
}

test.run();
