import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { packedPackage, peers } from './packed-package.js';

const test = suite('the packed package');
const bin = peers();

test('is small', () => {
  const { tarballBytes, unpackedBytes } = packedPackage();
  console.log(`tarball ${(tarballBytes / 1e6).toFixed(3)} MB, unpacked ${(unpackedBytes / 1e6).toFixed(3)} MB`);
  assert.ok(tarballBytes <= 1.05e6 && unpackedBytes <= 3.1e6);
});

test('is at most 1 MB as it is published', () => {
  const { size } = statSync(new URL('../../build/sardonyx.tgz', import.meta.url));
  console.log(`build/sardonyx.tgz ${(size / 1e6).toFixed(3)} MB`);
  assert.ok(size <= 1e6);
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
