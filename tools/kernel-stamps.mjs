// What every binary of the kernels was made from: build/kernel-stamps.json.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const STAMPS = 'build/kernel-stamps.json';
const tool = (name) => fileURLToPath(new URL(name, import.meta.url));
const TOOLS = ['kernel-manifest', 'math-without-tables', 'kernel-compiler', 'function-order', 'alike-order'].map(
  (name) => tool(`./${name}.mjs`),
);

/** For development: 4 seconds instead of 13, for kernels 5 % larger. */
const FAST = { optimizeLevel: 2, converge: false };

const config = JSON.parse(readFileSync('asconfig.json', 'utf8'));
export const { targets } = config;

/** The file that exports a target's kernels, and that with their parameters in TypeScript. */
export const entriesOf = (target) => targets[target].entries ?? config.entries;
export const manifestOf = (target) => {
  const [entry] = targets[target].entries ?? [];
  return entry ? `build/${basename(entry, '.ts')}-kernels.ts` : 'build/kernels.ts';
};

export function optionsOf(target, isFast) {
  const { entries, ...own } = targets[target];
  return { ...config.options, ...own, ...(isFast ? FAST : {}) };
}

const sha256 = (...parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
};

/** The sources as they are now, with the compiler's version: what any target is made from. */
export function inputsOf(isFast) {
  const sources = readdirSync('assembly', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const compiler = readFileSync(fileURLToPath(import.meta.resolve('assemblyscript/package.json')));
  return { isFast, sources: sha256(compiler, ...[...TOOLS, ...sources].flatMap((path) => [path, readFileSync(path)])) };
}

const readStamps = () => (existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {});

const stampOf = (target, { isFast, sources }) => ({
  inputs: sha256(sources, JSON.stringify([entriesOf(target), optionsOf(target, isFast)])),
  output: sha256(readFileSync(targets[target].outFile)),
});

/** Whether the target's binary is what these inputs give. */
export function isCurrent(target, inputs) {
  const stamp = readStamps()[target];
  if (!stamp || !existsSync(manifestOf(target)) || !existsSync(targets[target].outFile)) return false;
  const { inputs: from, output } = stampOf(target, inputs);
  return stamp.inputs === from && stamp.output === output;
}

export function stamp(target, inputs) {
  writeFileSync(STAMPS, `${JSON.stringify({ ...readStamps(), [target]: stampOf(target, inputs) }, undefined, 2)}\n`);
}
