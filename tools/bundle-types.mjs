// Bundles the declarations that tsc wrote into one file an entry point of the package, and a few that these share. They become those
// of CommonJS modules, which ES modules can take over as they are; the other way around, `require` could not.
// usage: node tools/bundle-types.mjs [FOLDER OF THE PACKAGE] [FOLDER OF THE DECLARATIONS]
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { messageDeclarations } from './message-declarations.mjs';

const [, , PACKAGE = '.', DECLARATIONS = 'build/types'] = process.argv;
const DIST = join(PACKAGE, 'dist');
const TYPES = join(DIST, 'types');
const { paths } = JSON.parse(readFileSync('tsconfig.json', 'utf8')).compilerOptions;

/** Of each entry point, by its name in dist/. */
const declarations = Object.fromEntries(
  Object.entries(paths).map(([specifier, [source]]) => [
    specifier.split('/')[1] ?? 'index',
    join(DECLARATIONS, source.replace(/\.ts$/, '.d.ts')),
  ]),
);

/** What an ES module must declare anew, its default export: that of a CommonJS module would be all of it. */
const DEFAULTS = { onnxruntime: 'interface' };
const interfaces = Object.fromEntries(
  Object.entries(DEFAULTS).map(([name, file]) => [file, declarations[name].replace('index.d.ts', `${file}.d.ts`)]),
);

mkdirSync(join(DECLARATIONS, 'build'), { recursive: true });
writeFileSync(join(DECLARATIONS, 'build/onnx.d.ts'), messageDeclarations('src/model/onnx.proto'));

const bundle = await rollup({
  input: { ...declarations, ...interfaces },
  plugins: [dts()],
  // Types that are not exported by name are told of in errors alone.
  onwarn: ({ message, plugin }, warn) => plugin === 'dts' || warn(message),
});
const { output } = await bundle.generate({
  entryFileNames: '[name].d.cts',
  chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.cts`,
});
rmSync(TYPES, { recursive: true, force: true });
mkdirSync(TYPES, { recursive: true });
/** Four blanks as a tab: 2 kB of the package. */
const indented = (code) => code.replace(/^(?: {4})+/gm, (blanks) => '\t'.repeat(blanks.length / 4));
for (const { fileName, code } of output) writeFileSync(join(TYPES, fileName), indented(code));

for (const name of Object.keys(declarations)) {
  const lines = [`export * from './types/${name}.cjs';`];
  const all = DEFAULTS[name];
  if (all) lines.push(`import * as all from './types/${all}.cjs';`, 'export default all;');
  writeFileSync(join(DIST, `${name}.d.ts`), `${lines.join('\n')}\n`);
}

const bytes = output.reduce((sum, { code }) => sum + code.length, 0);
console.log(`${TYPES}  ${output.length} declaration files, ${(bytes / 1000).toFixed(1)} kB`);
