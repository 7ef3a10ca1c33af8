import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer, tsc, typeRoots } from '../installed-package.js';
import { installedPeers } from '../transformers/peers.js';

const peers = installedPeers();
const FILES = [
  'accepted.ts',
  'refused.ts',
  'onnxruntime.ts',
  'workers.ts',
  'pictures.ts',
  ...(peers ? ['onnxruntime-common.ts'] : []),
];

const test = suite<{ consumer: Consumer }>('types of the installed package');

test.before((context) => {
  context.consumer = consumer({ types: true });
  for (const file of [...FILES, 'using.ts'])
    cpSync(new URL(file, import.meta.url), join(context.consumer.folder, file));
  writeFileSync(join(context.consumer.folder, 'package.json'), '{ "type": "module" }');
  const common = 'onnxruntime-common';
  if (peers) symlinkSync(join(peers, common), join(context.consumer.folder, 'node_modules', common));
});

test.after((context) => context.consumer.remove());

const CONSUMERS: readonly (readonly [name: string, compilerOptions: object])[] = [
  ['Node', { module: 'node16', moduleResolution: 'node16', types: ['node'], typeRoots: [typeRoots] }],
  ['a bundled page', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] }],
];

for (const [name, compilerOptions] of CONSUMERS) {
  test(`what must compile does for ${name}, and what must not does not`, ({ consumer: { folder } }) => {
    const strict = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false };
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strict, ...compilerOptions }, files: FILES }),
    );
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
    assert.is(stdout, '');
    assert.is(status, 0);
  });
}

/** `await using` needs types that not every host has; the package's own must compile with and without. */
const DISPOSAL = ['es2022', 'dom', 'esnext.disposable'];

test('sessions and tensors can be used with `using`', ({ consumer: { folder } }) => {
  const strict = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false };
  const bundled = { module: 'esnext', moduleResolution: 'bundler', lib: DISPOSAL, types: [] };
  const settings = { compilerOptions: { ...strict, ...bundled }, files: [...FILES, 'using.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  assert.is(stdout, '');
  assert.is(status, 0);
});

test.run();
