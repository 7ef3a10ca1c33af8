// Bundles the declarations that tsc writes into one file for each entry point of the package, and a few shared files. They are declared as
// CommonJS modules, which ES modules can re-export; `require` could not load the opposite.
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

/** `outDir` in tsconfig.build.json. */
const DECLARATIONS = 'build/types';
const { paths } = JSON.parse(readFileSync('tsconfig.json', 'utf8')).compilerOptions;

/** The source of each entry point, by its name in dist/. */
export const entryPoints = Object.fromEntries(
  Object.entries(paths).map(([specifier, [source]]) => [specifier.split('/')[1] ?? 'index', source]),
);
const declarationOf = (source) => `${DECLARATIONS}/${source.replace(/\.ts$/, '.d.ts')}`;

/** Default exports, which an ES module must declare again: the default export of a CommonJS module would be the whole module. */
const DEFAULTS = { onnxruntime: 'interface' };

/** Writes dist/types, and a file in dist/ for each entry point. */
export async function bundleTypes() {
  await promisify(execFile)(process.execPath, ['node_modules/@typescript/native/bin/tsc', '-p', 'tsconfig.build.json']);
  mkdirSync(`${DECLARATIONS}/build`, { recursive: true });
  copyFileSync('build/onnx-documents.d.ts', `${DECLARATIONS}/build/onnx.d.ts`);
  const input = Object.fromEntries(Object.entries(entryPoints).map(([name, path]) => [name, declarationOf(path)]));
  for (const [name, file] of Object.entries(DEFAULTS)) input[file] = input[name].replace('index.d.ts', `${file}.d.ts`);
  const bundle = await rollup({
    input,
    plugins: [dts()],
    // Types that are not exported by name are mentioned in errors only.
    onwarn: ({ message, plugin }, warn) => plugin === 'dts' || warn(message),
  });
  rmSync('dist/types', { recursive: true, force: true });
  await bundle.write({
    dir: 'dist/types',
    entryFileNames: '[name].d.cts',
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, '')}-[hash].d.cts`,
  });
  for (const name of Object.keys(entryPoints)) {
    const lines = [`export * from './types/${name}.cjs';`];
    const all = DEFAULTS[name];
    if (all) lines.push(`import * as all from './types/${all}.cjs';`, 'export default all;');
    writeFileSync(`dist/${name}.d.ts`, `${lines.join('\n')}\n`);
  }
}
