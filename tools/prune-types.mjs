// Keeps the declarations in dist/types that the package's entry points reach, and makes sure that they are complete. They become
// those of CommonJS modules, which ES modules can take over as they are; the other way around, `require` could not.
// usage: node tools/prune-types.mjs [FOLDER OF THE PACKAGE]
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

const PACKAGE = process.argv[2] ?? '.';
const ROOT = join(PACKAGE, 'dist/types');
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const RELATIVE = /((?:from|import\() ?['"])(\.[^'"]+)\.js(['"])/g;

const sourceOf = (declaration) => declaration.replace(/\.d\.cts$/, '.d.ts');

/** The declarations of an entry: as `require` finds them, and as `import` does. */
const entries = Object.values(exports).flatMap(({ types }) =>
  types ? [{ required: types.require, imported: types.default }] : [],
);

const reached = new Set();
const waiting = entries.map(({ required }) => sourceOf(join(PACKAGE, required)));
for (let file = waiting.pop(); file; file = waiting.pop()) {
  if (reached.has(file)) continue;
  if (!existsSync(file)) throw new Error(`${file} is declared by no source: its types cannot be shipped`);
  reached.add(file);
  for (const [, , specifier] of readFileSync(file, 'utf8').matchAll(RELATIVE)) {
    waiting.push(join(dirname(file), `${specifier}.d.ts`));
  }
}

/**
 * An ES module that takes over an entry's declarations. Its default export is declared anew: that of a CommonJS module would be
 * all of it.
 */
function takenOver({ required, imported }) {
  const redirected = (path) => `./${relative(dirname(imported), join(dirname(required), path))}.cjs`;
  const lines = readFileSync(sourceOf(join(PACKAGE, required)), 'utf8').split('\n');
  const hasDefault = lines.some((line) => line.startsWith('export default '));
  const kept = hasDefault ? lines.filter((line) => /^(import|export default) /.test(line)) : [];
  return [`export * from '${redirected(basename(required, '.d.cts'))}';`, ...kept]
    .map((line) => line.replace(RELATIVE, (_, before, path, after) => before + redirected(path) + after))
    .join('\n');
}

for (const entry of entries) writeFileSync(join(PACKAGE, entry.imported), `${takenOver(entry)}\n`);

const shipped = new Set();
let bytes = 0;
for (const file of reached) {
  const text = readFileSync(file, 'utf8').replace(RELATIVE, '$1$2.cjs$3');
  const name = file.replace(/\.d\.ts$/, '.d.cts');
  writeFileSync(name, text);
  shipped.add(name);
  bytes += text.length;
}

function prune(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) prune(path);
    else if (!shipped.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
prune(ROOT);

console.log(`${ROOT}  ${shipped.size} declaration files, ${(bytes / 1000).toFixed(1)} kB`);
