import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer, tsc, typeRoots } from '../installed-package.js';
import { installedPackages } from '../installed-packages.js';
import { installedPeers } from '../transformers/peers.js';

const peers = installedPeers();
const FILES = [
  'accepted.ts',
  'refused.ts',
  'onnxruntime.ts',
  'workers.ts',
  'pictures.ts',
  'logs.ts',
  ...(peers ? ['onnxruntime-common.ts'] : []),
];

const test = suite<{ consumer: Consumer }>('types of the installed package');

test.before((context) => {
  context.consumer = consumer();
  for (const file of [...FILES, 'using.ts'])
    cpSync(new URL(file, import.meta.url), join(context.consumer.folder, file));
  writeFileSync(join(context.consumer.folder, 'package.json'), '{ "type": "module" }');
  const common = 'onnxruntime-common';
  if (peers) symlinkSync(join(peers, common), join(context.consumer.folder, 'node_modules', common));
});

test.after((context) => context.consumer.remove());

const NODE = { types: ['node'], typeRoots: [typeRoots] };
const CONSUMERS: Readonly<Record<string, object>> = {
  'Node, node16': { module: 'node16', moduleResolution: 'node16', ...NODE },
  'Node, nodenext': { module: 'nodenext', moduleResolution: 'nodenext', ...NODE },
  'a bundled page': { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] },
};

/** Beyond `strict`; all are right with each and without. */
const STRICTER = ['exactOptionalPropertyTypes', 'noUncheckedIndexedAccess'];

const older = installedPackages(fileURLToPath(new URL('.', import.meta.url)));
const compiler = (version: string) => join(older as string, `typescript-${version}/bin/tsc`);

/** Compilers, and whom for: the older ones take some seconds. */
const COMPILERS: readonly (readonly [version: string, compiler: string, consumers: readonly string[]])[] = [
  ['the newest TypeScript', tsc, Object.keys(CONSUMERS)],
  ...(older ? ([['TypeScript 5.9', compiler('5.9'), ['Node, nodenext']]] as const) : []),
  ...(older ? ([['TypeScript 5.4', compiler('5.4'), ['Node, node16', 'a bundled page']]] as const) : []),
];

function complaints(compiler: string, folder: string, compilerOptions: object, files = FILES): string {
  const strict = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false };
  const settings = { compilerOptions: { ...strict, ...compilerOptions }, files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  return status === 0 ? stdout : `${stdout}${stderr}status ${status}`;
}

for (const [version, compiler, names] of COMPILERS)
  for (const name of names)
    test(`what must compile does for ${name}, and what must not does not: ${version}`, ({ consumer: { folder } }) => {
      assert.is(complaints(compiler, folder, CONSUMERS[name] as object), '');
    });

for (const option of STRICTER)
  test(`with ${option} too`, ({ consumer: { folder } }) => {
    assert.is(complaints(tsc, folder, { ...CONSUMERS['a bundled page'], [option]: true }), '');
  });

/** `await using` needs types that not every host has, and TypeScript 5.2; the package compiles without. */
const DISPOSAL = { ...CONSUMERS['a bundled page'], lib: ['es2022', 'dom', 'esnext.disposable'] };

for (const [version, compiler] of COMPILERS.filter(([version]) => !version.endsWith('5.0')))
  test(`sessions and tensors end with their block: ${version}`, ({ consumer: { folder } }) => {
    assert.is(complaints(compiler, folder, DISPOSAL, ['using.ts']), '');
  });

test.run();
