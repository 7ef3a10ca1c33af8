import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packedPackage, peers } from './packed-package.js';

const test = suite('the packed package');
const bin = peers();

/** Bytes of the tarball; what a page loads before its first inference is bounded in browser.test.ts. */
const MOST = 2.5e6;

test('is small', () => {
  const { tarballBytes, unpackedBytes } = packedPackage();
  console.log(`tarball ${(tarballBytes / 1e6).toFixed(3)} MB, unpacked ${(unpackedBytes / 1e6).toFixed(3)} MB`);
  assert.ok(tarballBytes <= MOST);
});

test('has no script that npm runs, or warns of, where it is installed', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  for (const name of ['preinstall', 'install', 'postinstall', 'prepublish', 'prepare'])
    assert.not(name in scripts, name);
});

if (bin) {
  const check = (command: string, ...args: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(bin, command), ...args], { encoding: 'utf8' });
    assert.is(status, 0, stdout + stderr);
  };

  test('publint reports nothing', () => check('publint/src/cli.js', packedPackage().tarball, '--strict'));

  // A worker's script has no types, and node10 knows no `exports`.
  test('are the types wrong? No', () => {
    const limits = ['--profile', 'node16', '--exclude-entrypoints', './session-worker.js'];
    check('@arethetypeswrong/cli/dist/index.js', packedPackage().tarball, ...limits);
  });
}

test.run();
