// Keeps the declarations in dist/types that the package's entry points reach, and makes sure that they are complete.
// usage: node tools/prune-types.mjs [FOLDER OF THE PACKAGE]
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACKAGE = process.argv[2] ?? '.';
const ROOT = join(PACKAGE, 'dist/types');
const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

const reached = new Set();
const waiting = Object.values(exports).flatMap((entry) => (entry.types ? [join(PACKAGE, entry.types)] : []));
for (let file = waiting.pop(); file; file = waiting.pop()) {
  if (reached.has(file)) continue;
  if (!existsSync(file)) throw new Error(`${file} is declared by no source: its types cannot be shipped`);
  reached.add(file);
  for (const [, specifier] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?['"](\.[^'"]+)\.js['"]/g)) {
    waiting.push(join(dirname(file), `${specifier}.d.ts`));
  }
}

function prune(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) prune(path);
    else if (!reached.has(path)) rmSync(path);
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}
prune(ROOT);

const bytes = [...reached].reduce((sum, file) => sum + statSync(file).size, 0);
console.log(`${ROOT}  ${reached.size} declaration files, ${(bytes / 1000).toFixed(1)} kB`);
