// Hashes of the inputs and outputs of each part of the build: build/stamps.json. A part is built again if either has changed.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const STAMPS = 'build/stamps.json';
const stamps = () => (existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {});

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path];

/** A hash of files, of all files in folders, and of settings. */
export function hashOf(paths, settings = {}) {
  const hash = createHash('sha256').update(JSON.stringify(settings));
  for (const file of paths.flatMap(filesIn)) hash.update(`\0${file}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

/** Whether a part's outputs, files and folders, are unchanged since they were made from inputs with this hash. */
export function isCurrent(part, inputs, outputs) {
  const stamp = stamps()[part];
  return stamp?.inputs === inputs && outputs.every((path) => existsSync(path)) && stamp.outputs === hashOf(outputs);
}

export function stamp(part, inputs, outputs) {
  const all = { ...stamps(), [part]: { inputs, outputs: hashOf(outputs) } };
  writeFileSync(STAMPS, `${JSON.stringify(all, undefined, 2)}\n`);
}
