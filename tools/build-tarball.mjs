// Packs the package as it is built into build/sardonyx.tgz, which the examples install and `npm publish` takes.
// usage: node tools/build-tarball.mjs [FOLDER OF THE PACKAGE]
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';
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
const packed = join(BUILD, filename);

/** The same files in a twenty-seventh fewer bytes than npm's own gzip makes of them. */
const tarball = await zopfli.gzipAsync(gunzipSync(readFileSync(packed)), { numiterations: 1 });
writeFileSync(join(BUILD, 'sardonyx.tgz'), tarball);
rmSync(packed);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
console.log(
  `${join(PACKAGE, 'build/sardonyx.tgz')}  ${kB(tarball.length)}, as npm packs it ${kB(size)}, unpacked ${kB(unpackedSize)}`,
);
