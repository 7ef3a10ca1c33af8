import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtWithSourceMaps } from '../built-package.js';
import { installed } from '../installed-package.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const bare = (text: string) => text.replace(/\s+/g, ' ').trim();
const licenses = bare(readFileSync(join(installed().package, 'dist/licenses.txt'), 'utf8'));

/** What must be said of a binary, by its name; there is no other binary. */
const NOTICES: Readonly<Record<string, readonly string[]>> = {
  'jpeg-decoder.wasm': [
    'This software is based in part on the work of the Independent JPEG Group.',
    'Thomas G. Lane, Guido Vollbeding.',
    'D. R. Commander. All Rights Reserved.',
    'Rich Felker, et al.',
  ],
  'webp-decoder.wasm': [
    'Copyright (c) 2010, Google Inc. All rights reserved.',
    'Additional IP Rights Grant (Patents)',
    'Rich Felker, et al.',
  ],
  'sardonyx.simd.wasm': ['assemblyscript', 'Daniel Wirtz'],
  'quantized.simd.wasm': ['assemblyscript', 'Daniel Wirtz'],
  'sardonyx.relaxed.wasm': ['assemblyscript', 'Daniel Wirtz'],
  'quantized.relaxed.wasm': ['assemblyscript', 'Daniel Wirtz'],
};

/** The folders of the packages that the scripts contain, as their source maps say. */
function bundledPackages(): string[] {
  const folder = builtWithSourceMaps();
  const files = ['dist', 'build'].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => join(folder, part, name)),
  );
  const maps = files.filter((path) => path.endsWith('.map')).map((path) => JSON.parse(readFileSync(path, 'utf8')));
  const sources = maps.flatMap(({ sources, sourcesContent }) =>
    sources.filter((_: string, i: number) => sourcesContent[i]),
  );
  const packages = sources.flatMap((source: string) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  return [...new Set<string>(packages)];
}

const test = suite('licenses');

test('every bundled package has its license', () => {
  const packages = bundledPackages();
  for (const known of ['comlink', 'protobufjs', 'jpeg-js']) assert.ok(packages.includes(known), `${packages}`);
  for (const name of packages) {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    assert.ok(licenses.includes(`${name} ${version} (${license})`), name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry)) as string;
    const text = readFileSync(join(folder, file), 'utf8');
    assert.ok(licenses.includes(bare(text)), `the license of ${name}`);
  }
});

test('every binary has the notices of what is compiled into it', () => {
  const binaries = readdirSync(join(installed().package, 'build')).filter((name) => name.endsWith('.wasm'));
  assert.equal(binaries.sort(), Object.keys(NOTICES).sort());
  for (const name of binaries)
    for (const notice of NOTICES[name] as string[]) assert.ok(licenses.includes(notice), `${name}: ${notice}`);
});

test('nothing is bundled without a license', () => {
  const ask = (inputs: string[], binaries: string[]) =>
    execFileSync(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { bundledLicenses } from './tools/bundled-licenses.mjs'; bundledLicenses(${JSON.stringify(inputs)}, ${JSON.stringify(binaries)});`,
      ],
      { cwd: root, stdio: 'pipe' },
    );
  assert.ok(ask(['node_modules/comlink/dist/esm/comlink.mjs'], ['sardonyx.simd.wasm']));
  assert.throws(() => ask([], ['avif-decoder.wasm']), /avif-decoder\.wasm: .* does not say what is compiled into it/);
});

test.run();
