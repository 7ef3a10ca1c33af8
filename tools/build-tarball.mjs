// Packs the package as it is built into build/sardonyx.tgz, which the examples install.
// usage: node tools/build-tarball.mjs [FOLDER OF THE PACKAGE]
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { inputsOf, isCurrent, targets } from './kernel-stamps.mjs';

const PACKAGE = process.argv[2] ?? '.';
const BUILD = resolve(PACKAGE, 'build');

const inputs = inputsOf(false);
const stale = Object.keys(targets).filter((name) => !isCurrent(name, inputs));
if (stale.length)
  throw new Error(`${stale.join(', ')}: compiled for development, or from older sources; npm run build:wasm`);

/** `npm pack --dry-run` builds too, and hands its options on. */
const OPTIONS = ['--ignore-scripts', '--dry-run=false', '--json', '--pack-destination', BUILD];
const output = execFileSync('npm', ['pack', ...OPTIONS], { cwd: PACKAGE, encoding: 'utf8' });
const [{ filename, size, unpackedSize }] = JSON.parse(output);
renameSync(join(BUILD, filename), join(BUILD, 'sardonyx.tgz'));
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
console.log(`${join(PACKAGE, 'build/sardonyx.tgz')}  ${kB(size)}, unpacked ${kB(unpackedSize)}`);
