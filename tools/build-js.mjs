// Bundles the library, the builder and the command line into dist/; what they share lies in common chunks.
// usage: node tools/build-js.mjs [FOLDER THAT GETS dist/]
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledLicenses } from './bundled-licenses.mjs';

const OUT = join(process.argv[2] ?? '.', 'dist');

/** CommonJS packages get Node's modules by import, since `require` does not exist in an ES module. */
const importNodeModules = {
  name: 'import-node-modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'require-call' ? { path, namespace: 'required' } : { path, external: true },
    );
    onResolve({ filter: /^default:/ }, ({ path }) => ({ path: path.slice('default:'.length), namespace: 'default' }));
    onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require('default:${path}').default;`,
    }));
    onLoad({ filter: /.*/, namespace: 'default' }, ({ path }) => ({ contents: `export { default } from '${path}';` }));
  },
};

/** The image decoders get their modules from the library; bundlers would look for the files that they name. */
const nameNoFiles = {
  name: 'name-no-files',
  setup({ onLoad }) {
    onLoad({ filter: /@jsquash\/.*_dec\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace('if(import.meta.url===undefined){import.meta.url="https://localhost"}', '')
        .replace(/new URL\("\w+\.wasm",import\.meta\.url\)\.href|import\.meta\.url/g, '""'),
    }));
  },
};

rmSync(OUT, { recursive: true, force: true });
const options = {
  outdir: OUT,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  metafile: true,
  plugins: [importNodeModules, nameNoFiles],
  logLevel: 'warning',
};
const { metafile } = await build({
  ...options,
  entryPoints: { index: 'src/index.ts', builder: 'src/builder/index.ts', cli: 'src/cli/main.ts' },
  chunkNames: '[name]-[hash]',
  splitting: true,
});
await build({ ...options, entryPoints: { inline: 'src/inline.ts' } });
chmodSync(`${OUT}/cli.js`, 0o755);
writeFileSync(`${OUT}/licenses.txt`, bundledLicenses(Object.keys(metafile.inputs)));

for (const file of readdirSync(OUT).sort()) {
  const bytes = readFileSync(`${OUT}/${file}`);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  console.log(`${OUT}/${file}  ${(bytes.length / 1000).toFixed(1)} kB, ${(gzip / 1000).toFixed(1)} kB gzip`);
}
