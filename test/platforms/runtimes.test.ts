import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tier } from '../tier.js';
import { agrees } from './agrees.js';
import { packedPackage, peers } from './packed-package.js';
import { runtimes } from './runtimes.js';
import { serve } from './site.js';

const test = suite('runtimes without a browser');
const installed = peers();

/** In smaller tiers not this Node, in which test/docs and test/installed run the installed package. */
const tried = (installed ? runtimes(installed) : []).filter(
  ({ command }) => tier === 'all' || command !== process.execPath,
);

for (const { name, command: executable, args } of tried)
  test(name, async () => {
    const { folder: cwd } = packedPackage();
    const site = await serve(cwd);
    const cache = mkdtempSync(join(tmpdir(), 'sardonyx-cache-'));
    const command = [...args, 'script.mjs', site.address, cache];
    const { stdout } = await promisify(execFile)(executable, command, { cwd, timeout: 180_000 }).finally(() => {
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

test.run();
