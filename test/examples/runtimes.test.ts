import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { npm } from '../npm.js';
import { peers } from '../platforms/packed-package.js';
import { unavailable } from '../platforms/unavailable.js';
import { startWorkerd } from '../platforms/workerd.js';
import { exampleFolder, install } from './installed-example.js';

const test = suite('examples without a browser');

test('examples/node', () => {
  const output = execFileSync(process.execPath, ['digits.mjs'], { cwd: exampleFolder('node'), encoding: 'utf8' });
  assert.match(output, '354 of 360 correct');
});

/** A platform's program; undefined, with a message, where it is not made for this machine or cannot be installed. */
function platform(name: string, path: string): string | undefined {
  const folder = peers();
  if (!folder) return undefined;
  const program = join(folder, path);
  if (existsSync(program)) return program;
  return unavailable(`${name} is not made for this machine`);
}

const deno = platform('Deno', '@deno/linux-x64-glibc/deno');

if (deno && install(exampleFolder('deno')))
  test('examples/deno', () => {
    const args = ['run', '--allow-read', '--no-prompt', 'main.ts'];
    assert.match(execFileSync(deno, args, { cwd: exampleFolder('deno'), encoding: 'utf8' }), '354 of 360 correct');
  });

const workerd = platform('workerd', '@cloudflare/workerd-linux-64/bin/workerd');

if (workerd && install(exampleFolder('cloudflare-worker')))
  test('examples/cloudflare-worker', async () => {
    const cwd = exampleFolder('cloudflare-worker');
    npm(cwd, ['run', 'build']);
    const { address, process: server } = await startWorkerd(workerd, cwd, 'config.capnp');
    try {
      const ask = (body: unknown) => fetch(address, { method: 'POST', body: JSON.stringify(body) });
      const one = Array.from({ length: 64 }, (_, i) => Number(i % 8 === 3 || i % 8 === 4));
      const { digit, probability } = await (await ask(one)).json();
      assert.is(digit, 1);
      assert.ok(probability > 0.99 && probability <= 1, `${probability}`);
      assert.is((await ask([1, 2, 3])).status, 400);
    } finally {
      server.kill();
    }
  });

test.run();
