import { suite } from 'uvu';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { peers } from './packed-package.js';

const test = suite<{ app: FrameworkApp }>('Jest');

const JEST = 'jest/bin/jest.js';

if (peers()) {
  test('is installed', (context) => {
    context.app = frameworkApp('jest');
  });

  test.after(({ app }) => app?.remove());

  for (const environment of ['node', 'jsdom'])
    test(`CommonJS in ${environment}`, async ({ app }) => {
      await app.run(JEST, ['--ci', '--env', environment, 'commonjs']);
    });

  test('ES modules', async ({ app }) => {
    await app.run(JEST, ['--ci', '--testMatch', '**/modules.test.mjs'], { NODE_OPTIONS: '--experimental-vm-modules' });
  });
}

test.run();
