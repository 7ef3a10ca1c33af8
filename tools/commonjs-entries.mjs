// Writes what `require` finds: a script for each entry that is nothing but an ES module.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));

/** `dist` gets a script beside each ES module that `exports` has one for. */
export function writeCommonjsEntries(dist) {
  copyFileSync('src/commonjs.cjs', join(dist, 'commonjs.cjs'));
  for (const { require: given } of Object.values(exports)) {
    if (!given) continue;
    const module = `./${basename(given.module)}`;
    const load = `require('./commonjs.cjs').load(() => require('${module}'), '${module}')`;
    writeFileSync(join(dist, basename(given.default)), `'use strict';\nObject.assign(exports, ${load});\n`);
  }
}
