import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, constants } from 'node:zlib';
import { oneAtATime } from './one-at-a-time.js';
import { skipped } from './skipped.js';

const ARCHIVE = new URL('data/onnx.tar.br', import.meta.url);
const CACHE = fileURLToPath(new URL('../node_modules/.cache/sardonyx-data', import.meta.url));
const beside = fileURLToPath(new URL('../../shared', import.meta.url));
/** Where networks are that are too large for the repository, if anywhere. */
const ROOTS = [process.env.SARDONYX_SHARED ?? beside];

let unpacked: string | undefined;

/** A folder of the data that come with the repository; of `models`, those under SARDONYX_SHARED or ../shared if there are any. See test/data/README.md. */
export function shared(
  folder: 'onnx-backend-tests' | 'onnx-schemas' | 'models' | `onnx-backend-tests/${string}`,
): string {
  unpacked ??= oneAtATime('test-data', unpack);
  return (folder === 'models' && sharedFolder(folder)) || join(unpacked, folder);
}

/** A folder under SARDONYX_SHARED or ../shared. */
export const sharedFolder = (folder: string): string | undefined =>
  ROOTS.map((root) => join(root, folder)).find(existsSync);

/** The folder of a network in the Model Zoo's layout; where it is absent, the test that asks counts as skipped. */
export function sharedModel(name: string): string | undefined {
  const folder = join(shared('models'), name);
  return existsSync(folder)
    ? folder
    : skipped(`no network ${name}; set SARDONYX_SHARED to a folder with models/${name}`);
}

/** Those of `names` that are there; the others count as skipped tests. */
export const sharedModels = <Name extends string>(...names: readonly Name[]): Name[] =>
  names.filter((name) => sharedModel(name) !== undefined);

function unpack(): string {
  const packed = readFileSync(ARCHIVE);
  const folder = join(CACHE, createHash('sha256').update(packed).digest('hex').slice(0, 16));
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const partial = mkdtempSync(join(CACHE, 'partial-'));
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  execFileSync('tar', ['-x', '-C', partial], { input: brotliDecompressSync(packed, { params }) });
  renameSync(partial, folder);
  return folder;
}
