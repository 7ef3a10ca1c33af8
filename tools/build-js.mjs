// Bundles the library's entry points and the command line into dist/, what they share into common chunks, and the script of
// kernel threads into build/, beside the kernels: a plain file whose place can be overridden.
// usage: node tools/build-js.mjs [FOLDER OF THE PACKAGE] [--sourcemap]
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { bundledLicenses } from './bundled-licenses.mjs';
import { CHUNK_NAMES, chunkNames, isHashed } from './chunk-names.mjs';
import { writeCommonjsEntries } from './commonjs-entries.mjs';
import { importNodeModules } from './import-node-modules.mjs';
import { linkedChunks } from './linked-chunks.mjs';
import { minify } from './minify.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sourcemap: { type: 'boolean', default: false } },
});
const PACKAGE = positionals[0] ?? '.';
const OUT = join(PACKAGE, 'dist');

/**
 * Floats of protobufjs through typed arrays alone, a quarter of the bytes of its own, which also serves engines without them and
 * other orders of bytes, at the same speed; one DataView for all took ten times as long.
 */
const FLOAT = ['Float', 'Double']
  .map((name) => {
    const [type, size] = name === 'Float' ? ['Float32Array', 4] : ['Float64Array', 8];
    const each = (statement) => Array.from({ length: size }, (_, i) => statement.replaceAll('I', i)).join(' ');
    return `
{
  const number = new ${type}(1);
  const bytes = new Uint8Array(number.buffer);
  exports.read${name}LE = (from, at) => {
    ${each('bytes[I] = from[at + I];')}
    return number[0];
  };
  exports.write${name}LE = (value, to, at) => {
    number[0] = value;
    ${each('to[at + I] = bytes[I];')}
  };
}`;
  })
  .join('');

/** Files that something shorter takes the place of: long's is src/model/int64.ts, the last ones serve JSON and services alone. */
const REPLACED = {
  '/long/.*': '',
  '/protobufjs/src/util/float': FLOAT,
  '/protobufjs/src/util/(aspromise|base64|eventemitter)': 'module.exports = function () {};',
};
const lessProtobuf = {
  name: 'less-protobuf',
  setup({ onLoad }) {
    for (const [module, contents] of Object.entries(REPLACED))
      onLoad({ filter: new RegExp(`node_modules${module}\\.js$`) }, () => ({ contents }));
  },
};

/**
 * protobufjs looks for Buffer by way of an exception, for which V8 parses all scripts on the stack again: 20 ms of a page's first
 * inference.
 */
const askForBuffer = {
  name: 'ask-for-buffer',
  setup({ onLoad }) {
    onLoad({ filter: /protobufjs\/src\/util\/minimal\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace('util.global.Buffer;', '$& if (!Buffer) return null;'),
    }));
  },
};

/** re2js with the Unicode of the engine in place of its own: 14 kB of the package. */
const lessUnicode = {
  name: 'less-unicode',
  setup({ onLoad }) {
    onLoad({ filter: /re2js\/build\/index\.esm\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const [tables] = /^class UnicodeTables \{$[\s\S]*?^\}$/m.exec(text);
      const [orbit] = /decodeOrbit\('[^']+'\)/.exec(tables);
      const ours = `const UnicodeTables = Object.defineProperty(
  unicodeTables((ranges) => new UnicodeRangeTable(ranges)), 'CASE_ORBIT', { value: ${orbit} });`;
      const contents = `import { unicodeTables } from '${resolve('src/ops/onnx/text/unicode-tables.ts')}';
${text.replace(tables, () => ours)}`;
      return { contents };
    });
  },
};

/**
 * A chunk holds what the same scripts need, so that thirty small ones would lie between a page and its first inference. Said to
 * need a little more, scripts share larger pieces: those loaded on demand come after the session in any case.
 */
const ALSO_NEEDED = [
  [
    /(src\/groups\/(?!always|load-)[\w-]+|src\/optimize\/(differentiate|inline-functions|override-sizes|half-precision|integer-networks|subgraphs)|src\/backends\/wasm\/(plan\/revising|execute\/(guarded|timed)-steps|caches\/index|branches\/index)|src\/execute\/open-providers|src\/loading\/external-files|src\/advice\/index|src\/optimize\/extra-outputs|src\/session\/(captures|warm-up|state\/index)|src\/backends\/step-timings|src\/tools\/((bisect|check)\/index|check\/infer|import\/tfjs\/translated)|src\/image\/(decode|from-image)|workers\/(team|session-states))\.ts$/,
    ['src/session/inference-session.ts'],
  ],
  [
    /workers\/session-(worker|states)\.ts$/,
    ['workers/pack.ts', 'workers/error-transfer.ts', 'workers/platform-worker.ts'],
  ],
  [/src\/builder\/index\.ts$/, ['src/advice/advised.ts', 'src/model/topological-order.ts', 'src/model/types.ts']],
  [/src\/remote\/worker\/worker-state\.ts$/, ['src/remote/worker/worker-session.ts']],
  [
    /src\/(cli\/(commands\/(documents|sessions)|peers\/onnxruntime-process)|tools\/(check-document|(bisect|compare|conformance|convert|diff|float16|import|infer|inspect|quantize|quantize\/repair|reduce|simplify|surgery|verify)\/index))\.ts$/,
    ['src/tools/on-demand.ts'],
  ],
  [/src\/tools\/(bisect|conformance|reduce|simplify|verify)\/index\.ts$/, ['src/tools/compare/index.ts']],
  [/src\/tools\/(float16|reduce)\/index\.ts$/, ['src/tools/surgery/index.ts']],
  [/src\/tools\/(import|quantize\/repair|inspect)\/index\.ts$/, ['src/tools/quantize/index.ts']],
  [
    /src\/cli\/commands\/sessions\.ts$/,
    [
      'src/cli/peers/onnxruntime-process.ts',
      'src/cli/commands/documents.ts',
      'src/tools/conformance/index.ts',
      'src/tools/inspect/index.ts',
      'src/tools/verify/index.ts',
      'src/optimize/extra-outputs.ts',
      'src/image/decode.ts',
    ],
  ],
  [/src\/(image\/(index|from-image)|onnxruntime\/index|cli\/commands\/sessions)\.ts$/, ['src/image/image-data-of.ts']],
  [
    /src\/((builder|cache|image|log|remote\/(pool|worker)|tensors)\/index|remote\/worker\/worker-state|image\/image-data-of|limits\/account|cli\/main|model\/files|tools\/on-demand)\.ts$/,
    [
      'src/base/turns.ts',
      'src/base/given.ts',
      'src/base/on-demand.ts',
      'src/limits/exceeded.ts',
      'src/limits/open-account.ts',
      'src/session/run-options.ts',
      'src/backends/wasm/threads.ts',
      'src/loading/loading.ts',
      'src/loading/source.ts',
      'src/base/first-bytes.ts',
      'src/loading/growing-bytes.ts',
      'src/model/external-data.ts',
      'src/model/no-model.ts',
      'src/graph/types.ts',
      'src/graph/walk.ts',
      'bindings/load.ts',
      'src/tensor/tensor.ts',
    ],
  ],
];
const fewChunks = {
  name: 'few-chunks',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const files = ALSO_NEEDED.flatMap(([filter, needed]) => (filter.test(path) ? needed : []));
      if (files.length === 0) return undefined;
      const imports = files.map((file) => `\nimport '${resolve(file)}';`);
      return { contents: readFileSync(path, 'utf8') + imports.join(''), loader: 'ts' };
    });
  },
};

const options = {
  outdir: OUT,
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  sourcemap: values.sourcemap && 'external',
  write: false,
  plugins: [importNodeModules, lessProtobuf, askForBuffer, lessUnicode],
  logLevel: 'warning',
};

/** esbuild gives classes that name themselves a name of its own; a blank in its place keeps source maps right. */
const ownClassNames = (text) => {
  const names = Array.from(text.matchAll(/\b(\w+) = class _\1\b/g), ([, name]) => name);
  return names.length ? text.replace(new RegExp(`(?<![\\w$.#])_(${names.join('|')})\\b`, 'g'), ' $1') : text;
};

/** Entries that others share leave chunks of re-exports alone, without a line: nobody need fetch them. */
const withoutEmptyChunks = (text, empty) =>
  text.replace(/^import "\.\/([\w-]+\.js)";$/gm, (line, name) => (empty.has(name) ? '' : line));

/** Whether a script is of other packages alone: the names in it are nobody's who reads a stack here. */
const isForeign = ({ outputs }, path) =>
  Object.keys(Object.entries(outputs).find(([name]) => resolve(name) === path)?.[1].inputs ?? {}).every((input) =>
    input.includes('node_modules/'),
  );

/** Writes what esbuild made, linked anew and minified; source maps with their sources beside it. */
function write({ outputFiles, metafile }) {
  const textOf = (path) => outputFiles.find((file) => file.path === path)?.text;
  const scripts = outputFiles.filter(({ path, text }) => path.endsWith('.js') && text !== '');
  const empty = new Set(outputFiles.filter(({ text }) => text === '').map(({ path }) => basename(path)));
  const paths = new Map(scripts.map(({ path }) => [basename(path), path]));
  const texts = new Map(
    scripts.map(({ path, text }) => [`./${basename(path)}`, withoutEmptyChunks(ownClassNames(text), empty)]),
  );
  const nameOf = chunkNames(metafile.outputs);
  const { isChunk, isOnDemand } = kindsOf(metafile);
  for (const { file, was, text } of linkedChunks(texts, isChunk, isOnDemand)) {
    const path = paths.get(basename(was));
    const { code, map } = minify(path, addressed(text, nameOf), textOf(`${path}.map`), !isForeign(metafile, path));
    const target = join(dirname(path), nameOf(basename(file)));
    writeFileSync(target, map ? `${code}\n//# sourceMappingURL=${basename(target)}.map\n` : code);
    if (map) writeFileSync(`${target}.map`, map.toString());
  }
}

/** Blanks take the place of what names lose: source maps count columns. */
const addressed = (text, nameOf) =>
  text.replace(/"\.\/([\w.-]+\.js)"/g, (all, file) => `"./${nameOf(file)}"`.padEnd(all.length));

/** What only other scripts import, and what they load on demand: esbuild names both with a hash. */
function kindsOf({ outputs }) {
  const entries = new Map(Object.entries(outputs).map(([path, { entryPoint }]) => [basename(path), entryPoint]));
  return {
    isChunk: (address) => entries.get(basename(address)) === undefined,
    isOnDemand: (address) => entries.get(basename(address)) !== undefined && isHashed(address),
  };
}

const shared = await build({
  ...options,
  plugins: [...options.plugins, fewChunks],
  entryPoints: {
    index: 'src/index.ts',
    inline: 'src/inline.ts',
    builder: 'src/builder/index.ts',
    cache: 'src/cache/index.ts',
    worker: 'src/remote/worker/index.ts',
    pool: 'src/remote/pool/index.ts',
    image: 'src/image/index.ts',
    tensors: 'src/tensors/index.ts',
    log: 'src/log/index.ts',
    model: 'src/tools/on-demand.ts',
    'session-worker': 'workers/session-worker.ts',
    onnxruntime: 'src/onnxruntime/index.ts',
    cli: 'src/cli/main.ts',
  },
  chunkNames: CHUNK_NAMES,
  splitting: true,
});
const threads = await build({
  ...options,
  outdir: join(PACKAGE, 'build'),
  entryPoints: { 'kernel-worker': 'workers/kernel-worker.ts' },
});

for (const folder of ['dist', 'build']) mkdirSync(join(PACKAGE, folder), { recursive: true });
for (const file of readdirSync(OUT)) if (/\.js(\.map)?$/.test(file)) rmSync(join(OUT, file));
write(shared);
write(threads);
writeCommonjsEntries(OUT);
chmodSync(`${OUT}/cli.js`, 0o755);

const inputs = [shared, threads].flatMap(({ metafile }) =>
  Object.keys(metafile.inputs).filter((path) => metafile.inputs[path].bytes > 0),
);
const binaries = readdirSync('build').filter((name) => name.endsWith('.wasm'));
writeFileSync(join(OUT, 'licenses.txt'), bundledLicenses(inputs, binaries));

for (const file of readdirSync(OUT)
  .filter((name) => name.endsWith('.js'))
  .sort()) {
  const bytes = readFileSync(`${OUT}/${file}`);
  const gzip = gzipSync(bytes, { level: 9 }).length;
  console.log(`${OUT}/${file}  ${(bytes.length / 1000).toFixed(1)} kB, ${(gzip / 1000).toFixed(1)} kB gzip`);
}
