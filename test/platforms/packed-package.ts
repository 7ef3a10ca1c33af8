import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { consumer } from '../installed-package.js';
import { npm } from '../npm.js';
import { oneAtATime } from '../one-at-a-time.js';
import { type Example, example, external, rare } from './example.js';
import { unavailable } from './unavailable.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const OPTIONS = ['--ignore-scripts', '--no-audit', '--no-fund'];

/** The packed package, and a folder that it is installed in from there, with the example and the programs that run it. */
export interface PackedPackage {
  readonly tarball: string;
  readonly tarballBytes: number;
  readonly unpackedBytes: number;
  /** What the tarball was made of. */
  readonly package: string;
  readonly folder: string;
}

let packed: PackedPackage | undefined;

export function packedPackage(): PackedPackage {
  packed ??= pack();
  return packed;
}

function pack(): PackedPackage {
  const built = consumer();
  process.once('exit', built.remove);
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) cpSync(here(`../../${file}`), join(built.package, file));
  const [{ filename, size, unpackedSize }] = JSON.parse(npm(built.package, ['pack', '--json', ...OPTIONS]));
  const folder = join(built.folder, 'app');
  const tarball = join(built.package, filename);
  mkdirSync(folder);
  cpSync(here('app'), folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  npm(folder, ['install', '--offline', tarball, ...OPTIONS]);
  const write = (name: string, { model, input, output }: Example) => {
    writeFileSync(join(folder, `${name}.onnx`), model);
    writeFileSync(join(folder, `${name}.json`), JSON.stringify({ input, output }));
  };
  write('model', example());
  write('rare', rare());
  write('external', external());
  writeFileSync(join(folder, 'weights.bin'), external().weights);
  return { tarball, tarballBytes: size, unpackedBytes: unpackedSize, package: built.package, folder };
}

const PEERS = here('node_modules');

/** The folder with the platforms and bundlers, installed on first use; undefined, with a message, where that is impossible. */
export function peers(): string | undefined {
  try {
    oneAtATime('peers', installPeers);
    return PEERS;
  } catch (error) {
    return unavailable(`the platforms cannot be installed: ${(error as Error).message}`);
  }
}

function installPeers(): void {
  const isInstalled =
    existsSync(join(PEERS, '.package-lock.json')) &&
    readFileSync(join(PEERS, '.installed'), { encoding: 'utf8', flag: 'a+' }) ===
      readFileSync(here('package-lock.json'), 'utf8');
  if (isInstalled) return;
  rmSync(PEERS, { recursive: true, force: true });
  npm(here('.'), ['ci', ...OPTIONS]);
  writeFileSync(join(PEERS, '.installed'), readFileSync(here('package-lock.json')));
}
