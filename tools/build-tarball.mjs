// Packs the package as it is built into build/sardonyx.tgz, which the examples install and `npm publish` takes.
// usage: node tools/build-tarball.mjs [FOLDER OF THE PACKAGE]
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import zopfli from '@gfx/zopfli';
import { alikeOrder } from './alike-order.mjs';
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

const BLOCK = 512;

/** The files of a tar archive, each behind its header (https://www.gnu.org/software/tar/manual/html_node/Standard.html). */
function filesOf(tar) {
  const files = [];
  for (let at = 0; tar[at] !== 0; at += files.at(-1).bytes.length) {
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8);
    const name = tar.toString('latin1', at, tar.indexOf(0, at));
    files.push({ name, bytes: tar.subarray(at, at + BLOCK * (1 + Math.ceil(size / BLOCK))) });
  }
  return files;
}

/** What is like nothing else comes last. */
const KINDS = [/\.d\.c?ts$/, /\.cjs$/, /\/(?!inline)[^/]+\.js$/, /\.(json|md|txt)$|LICENSE$/, /\.wasm$/, /inline\.js$/];
const kindOf = ({ name }) => KINDS.findIndex((kind) => kind.test(name));

/** Chunks stay with those of their folder (chunk-names.mjs). */
const groupOf = (file) => `${kindOf(file)} ${/dist\/([a-z]{2}-)[^/]*\.js$/.exec(file.name)?.[1]}`;

/** The archive with its files in an order in which gzip finds more: 4 kB. */
function ordered(tar) {
  const files = filesOf(tar).sort((a, b) => kindOf(a) - kindOf(b));
  return Buffer.concat([...alikeOrder(files, groupOf).map(({ bytes }) => bytes), Buffer.alloc(2 * BLOCK)]);
}

/** The same files in a twenty-fourth fewer bytes than npm makes of them. */
const tarball = await zopfli.gzipAsync(ordered(gunzipSync(readFileSync(packed))), {
  numiterations: 5,
  blocksplittingmax: 0,
});
writeFileSync(join(BUILD, 'sardonyx.tgz'), tarball);
rmSync(packed);
const kB = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
console.log(
  `${join(PACKAGE, 'build/sardonyx.tgz')}  ${kB(tarball.length)}, as npm packs it ${kB(size)}, unpacked ${kB(unpackedSize)}`,
);
