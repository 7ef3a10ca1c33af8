import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FrameworkApp, frameworkApp } from './framework-app.js';
import { peers } from './packed-package.js';

const test = suite<{ app: FrameworkApp }>('Jest');

const JEST = 'jest/bin/jest.js';
/** Those of app/session-cases.cjs. */
const ALL_PASSED = /^Tests: +6 passed, 6 total$/m;

if (peers()) {
  test('is installed', (context) => {
    context.app = frameworkApp('jest');
  });

  test.after(({ app }) => app?.remove());

  for (const environment of ['node', 'jsdom'])
    test(`CommonJS in ${environment}`, async ({ app }) => {
      assert.match(await app.run(JEST, ['--ci', '--env', environment, 'commonjs']), ALL_PASSED);
    });

  test('ES modules', async ({ app }) => {
    const options = ['--ci', '--testMatch', '**/modules.test.mjs'];
    assert.match(await app.run(JEST, options, { NODE_OPTIONS: '--experimental-vm-modules' }), ALL_PASSED);
  });
}

test.run();
