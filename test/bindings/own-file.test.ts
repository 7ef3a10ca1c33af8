import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { locateOwn } from '../../bindings/own-file.js';

const test = suite<{ folder: string; home: string }>('the package, its script moved by a bundler');

const KERNELS = 'sardonyx.simd.wasm';
const EMITTED = new URL('file:///docs/_next/static/media/sardonyx.simd.1.wasm');

test.before.each((context) => {
  context.home = process.cwd();
  context.folder = realpathSync(mkdtempSync(join(tmpdir(), 'sardonyx-own-file-')));
  process.chdir(context.folder);
});

test.after.each(({ folder, home }) => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

function put(folder: string, path: string, content = ''): URL {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return pathToFileURL(file);
}

function installIn(folder: string): URL {
  put(folder, 'node_modules/sardonyx/package.json', '{ "exports": { "./*.wasm": "./build/*.wasm" } }');
  return put(folder, `node_modules/sardonyx/build/${KERNELS}`);
}

test('what is beside the script, whatever is installed', ({ folder }) => {
  installIn(folder);
  const beside = put(folder, `build/${KERNELS}`);
  assert.is(locateOwn(KERNELS, beside), beside);
});

test('what is installed where the process works', ({ folder }) => {
  const kernels = installIn(folder);
  assert.is(locateOwn(KERNELS, EMITTED).href, kernels.href);
});

test('the same, where webpack has made an address without a protocol', ({ folder }) => {
  const kernels = installIn(folder);
  const relative = Object.create(EMITTED, { protocol: { value: '' }, pathname: { value: EMITTED.pathname } });
  assert.is(locateOwn(KERNELS, relative).href, kernels.href);
});

test('what Next emitted, where nothing is installed', ({ folder }) => {
  const emitted = put(folder, '.next/static/media/sardonyx.simd.1.wasm');
  assert.is(locateOwn(KERNELS, EMITTED).href, emitted.href);
});

test('nothing is found for Next: its setting is said', () => {
  assert.throws(
    () => locateOwn(KERNELS, EMITTED),
    /sardonyx\.simd\.1\.wasm was not deployed: set outputFileTracingIncludes/,
  );
});

test('addresses, and files that are nowhere, stay what they are', () => {
  for (const place of [new URL('https://cdn.example/_next/sardonyx.simd.wasm'), new URL('file:///gone.wasm')])
    assert.is(locateOwn(KERNELS, place), place);
});

test.run();
