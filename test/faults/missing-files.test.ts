import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { consumer } from '../installed-package.js';
import { byTier, sample } from '../tier.js';

const missing = suite('a package with a file missing');

const LONGEST = 120_000;
/** Files that are taken away, of each kind. */
const TRIED = {
  '.js': byTier({ quick: 1, ci: 2, all: Number.POSITIVE_INFINITY }),
  '.wasm': byTier({ quick: 1, ci: 1, all: Number.POSITIVE_INFINITY }),
  '.cjs': byTier({ quick: 1, ci: 1, all: Number.POSITIVE_INFINITY }),
};
const AT_A_TIME = 2;
/** Of the program, which says what came of each. */
const TRIALS = 11;

interface Outcome {
  readonly trial: string;
  readonly value?: unknown;
  readonly error?: { readonly name?: string; readonly code?: string; readonly message: string };
}

const RIGHT = '1,2 1,2 UNKNOWN_FEED';

/** What the trials come to in a package of its own, from which a file is taken; null where the program does not end. */
async function outcomes(folder: string): Promise<Outcome[] | null> {
  const child = spawn(process.execPath, ['program-of-all.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST);
  const signal = await new Promise((resolve) => child.once('close', (_, signal) => resolve(signal)));
  clearTimeout(timer);
  if (signal) return null;
  const lines = Buffer.concat(pieces).toString().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Outcome);
}

function prepared() {
  const made = consumer();
  copyFileSync(new URL('program-of-all.mjs', import.meta.url), join(made.folder, 'program-of-all.mjs'));
  writeFileSync(join(made.folder, 'model.onnx'), model());
  return made;
}

function model(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  b.output('y', b.op('Exp', [b.op('Log', [b.input('x', 'float32', ['n', 2])])]));
  return b.toBytes();
}

const isRight = ({ value }: Outcome) => value === true || value === RIGHT;

/** What is wrong with what came of a trial without a file; null if nothing is. */
function complaint({ trial, value, error }: Outcome, file: string): string | null {
  if (!error) return isRight({ trial, value }) ? null : `${file}: ${trial} gives ${value}`;
  const isOurs = error.name === 'SardonyxError' && error.code !== 'INTERNAL';
  const isOfHost = error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND';
  if ((isOurs || isOfHost) && error.message.includes(basename(file))) return null;
  return `${file}: ${trial}: ${error.name} ${error.code}: ${error.message}`;
}

missing('whatever is missing, the error names it, and nothing hangs', async () => {
  const packages = Array.from({ length: AT_A_TIME }, prepared);
  const [first] = packages as [ReturnType<typeof prepared>];
  const whole = (await outcomes(first.folder)) ?? [];
  assert.equal(
    whole.filter((each) => !isRight(each)),
    [],
  );
  assert.is(whole.length, TRIALS);

  const all = readdirSync(first.package, { recursive: true, encoding: 'utf8' });
  const files = Object.entries(TRIED).flatMap(([kind, count]) =>
    sample(
      all.filter((name) => name.endsWith(kind)),
      count,
    ),
  );
  const complaints: string[] = [];
  let errors = 0;
  const tryWithout = async (file: string, { folder, package: target }: (typeof packages)[number]) => {
    renameSync(join(target, file), join(folder, 'taken'));
    const found = await outcomes(folder);
    renameSync(join(folder, 'taken'), join(target, file));
    if (found?.length !== TRIALS)
      complaints.push(`${file}: the program ends after ${found?.length ?? 'too many'} trials`);
    errors += found?.filter(({ error }) => error).length ?? 0;
    complaints.push(...(found ?? []).flatMap((each) => complaint(each, file) ?? []));
  };
  const queue = [...files];
  await Promise.all(
    packages.map(async (each) => {
      for (let file = queue.shift(); file !== undefined; file = queue.shift()) await tryWithout(file, each);
    }),
  );
  for (const each of packages) each.remove();
  console.log(`${files.length} files taken away in turn, ${errors} errors`);
  assert.equal(complaints, []);
  assert.ok(errors > 0);
});

missing.run();
