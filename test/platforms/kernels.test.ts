import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { peers } from './packed-package.js';
import { runtimes } from './runtimes.js';

// Engines differ in relaxed instructions, and which dot products are taken follows from what these do.
const SUITES = ['assembly/n-bit', 'assembly/quantize-blocks', 'assembly/integer'];

const test = suite('kernels of integers in engines');
const cwd = fileURLToPath(new URL('../..', import.meta.url));
const installed = peers();

for (const { name, command } of installed ? runtimes(installed).filter(({ name }) => name.includes('newest')) : [])
  test(name, async () => {
    const args = ['--import', 'tsx', join('test', 'run.ts'), ...SUITES];
    const { stdout } = await promisify(execFile)(command, args, { cwd, timeout: 600_000, maxBuffer: 2 ** 24 });
    const [, passed, failed] = /\n(\d+) passed, (\d+) failed/.exec(stdout) ?? [];
    assert.ok(Number(passed) > 0, stdout);
    assert.is(failed, '0', stdout);
  });

test.run();
