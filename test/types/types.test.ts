import { spawnSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Consumer, consumer, tsc, typeRoots } from '../installed-package.js';
import { installedPackages } from '../installed-packages.js';
import { byTier } from '../tier.js';
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
const PAGE = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'], types: [] };

/** `await using` needs types that Node's declarations bring along and pages must ask for; the package compiles without. */
const WITH_USING = [...FILES, 'using.ts'];

const CONSUMERS: Readonly<Record<string, readonly [options: object, files: readonly string[]]>> = {
  'Node, node16': [{ module: 'node16', moduleResolution: 'node16', ...NODE }, WITH_USING],
  'Node, nodenext': [{ module: 'nodenext', moduleResolution: 'nodenext', ...NODE }, WITH_USING],
  'a bundled page': [PAGE, FILES],
  'a bundled page that knows disposal': [{ ...PAGE, lib: [...PAGE.lib, 'esnext.disposable'] }, ['using.ts']],
};

/** Beyond `strict`; all are right with them and without. */
const STRICTER = { exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };

const older = installedPackages(fileURLToPath(new URL('.', import.meta.url)));
const compiler = (version: string) => join(older as string, `typescript-${version}/bin/tsc`);

const NEW = byTier({ quick: ['Node, nodenext'], ci: ['Node, nodenext'], all: Object.keys(CONSUMERS) });
const OLD = byTier({ quick: ['a bundled page'], ci: ['a bundled page'], all: Object.keys(CONSUMERS) });

/** Compilers, and whom for: the older ones take some seconds. */
const COMPILERS: readonly (readonly [version: string, compiler: string, consumers: readonly string[]])[] = [
  ['the newest TypeScript', tsc, Object.keys(CONSUMERS)],
  ...(older ? ([['TypeScript 5.9', compiler('5.9'), NEW]] as const) : []),
  ...(older ? ([['TypeScript 5.4', compiler('5.4'), OLD]] as const) : []),
];

/** The compiler's own declarations are not checked, those of the package are. */
function complaints(compiler: string, folder: string, options: object, files: readonly string[]): string {
  const strict = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: false, skipDefaultLibCheck: true };
  const settings = { compilerOptions: { ...strict, ...options }, files };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  const { stdout, stderr, status } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  return status === 0 ? stdout : `${stdout}${stderr}status ${status}`;
}

for (const [version, compiler, names] of COMPILERS)
  for (const name of names)
    test(`what must compile does for ${name}, and what must not does not: ${version}`, ({ consumer: { folder } }) => {
      const [options, files] = CONSUMERS[name] as (typeof CONSUMERS)[string];
      assert.is(complaints(compiler, folder, options, files), '');
    });

test(`with ${Object.keys(STRICTER).join(' and ')} too`, ({ consumer: { folder } }) => {
  assert.is(complaints(tsc, folder, { ...PAGE, ...STRICTER }, FILES), '');
});

test.run();
