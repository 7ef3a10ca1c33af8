// Bundles the library's entry points and the command line into dist/, with chunks for code that is shared or loaded on demand, and the
// script of kernel threads into build/, next to the kernels; with their types. Does nothing if dist/ is up to date.
// usage: node tools/build-js.mjs [--sourcemap] [--outdir FOLDER: scripts only, into dist/ and build/ there]
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { parseSync, Visitor } from 'rolldown/utils';
import { bundleTypes, entryPoints } from './bundle-types.mjs';
import { bundledLicenses } from './bundled-licenses.mjs';
import { hashOf, isCurrent, stamp } from './stamps.mjs';

const { sourcemap, outdir } = parseArgs({
  options: { sourcemap: { type: 'boolean', default: false }, outdir: { type: 'string', default: '.' } },
}).values;
const DIST = join(outdir, 'dist');
const BUILD = join(outdir, 'build');

const ENTRIES = {
  ...entryPoints,
  model: 'src/tools/on-demand.ts',
  'session-worker': 'workers/session-worker.ts',
  cli: 'src/cli/bin.ts',
};

/**
 * Divides the imports of a session into few chunks: each has the imports of its modules that no earlier one has. A page's first inference
 * then loads 5 scripts; with a chunk for each set of scripts that share imports, it loaded 120.
 */
const CHUNKS = {
  common: ['cache', 'log', 'tensors', 'image', 'worker', 'pool'].map((name) => ENTRIES[name]),
  documents: [ENTRIES.builder, ENTRIES.model],
  session: ['src/session/inference-session.ts'],
};

/** The chunk of a module, if it belongs to one of these. */
function chunkOf(id, graph) {
  const reach = (paths, found = new Set()) => {
    for (const path of paths)
      if (!found.has(path)) reach(graph.getModuleInfo(path)?.importedIds ?? [], found.add(path));
    return found;
  };
  reached ??= Object.entries(CHUNKS).map(([name, paths]) => [name, reach(paths.map((path) => resolve(path)))]);
  const [, session] = reached.at(-1);
  return session.has(id) ? reached.find(([, ids]) => ids.has(id))[0] : null;
}
let reached;

/** An edit that replaces `text`, which must exist. */
const replace = (text, by) => (code) => {
  if (!code.includes(text)) throw new Error(`there is no "${text}" to replace`);
  return code.replaceAll(text, () => by);
};

/** Edits of other packages' files. */
const EDITS = [
  // src/model/int64.ts replaces long: 3.4 kB of a page.
  [/node_modules\/long\//, () => ''],
  // Parts of protobufjs for services and JSON only: 1 kB of a page.
  [/protobufjs\/src\/(rpc|util\/(aspromise|base64|eventemitter))\.js$/, () => ''],
  // All supported engines have typed arrays: 0.5 kB.
  [
    /protobufjs\/src\/util\/float\.js$/,
    (code) =>
      ['32', '64'].reduce((text, bits) => replace(`typeof Float${bits}Array !== "undefined"`, 'true')(text), code),
  ],
  // protobufjs detects Buffer with an exception, for which V8 parses all scripts on the stack again: 20 ms of a page's first inference.
  [/protobufjs\/src\/util\/minimal\.js$/, replace('global.Buffer;', 'global.Buffer; if (!Buffer) return null;')],
];
const unedited = new Set(EDITS.map(([file]) => file));
const editPackages = EDITS.map(([file, edit]) => ({
  name: `edit ${file}`,
  load: {
    filter: { id: file },
    handler(path) {
      unedited.delete(file);
      return edit(readFileSync(path, 'utf8'));
    },
  },
}));

/** Entries import all chunks that their imports need: otherwise a page loads a large chunk before it requests the next. */
const importAhead = {
  name: 'import ahead',
  renderChunk(code, { isEntry, isDynamicEntry, imports }, _, { chunks }) {
    if (!isEntry && !isDynamicEntry) return null;
    const all = new Set(imports);
    for (const file of all) for (const other of chunks[file]?.imports ?? []) all.add(other);
    const ahead = [...all].filter((file) => chunks[file] && !imports.includes(file));
    return { code: ahead.reduce((text, file) => `${text}\nimport './${file}';`, code), map: null };
  },
};

/**
 * Class names are kept for stacks and `constructor.name`. esbuild's minifier can only keep the names of all functions, with a call for
 * each: 11 kB of a page.
 */
const NAMES = { keepNames: { class: true, function: false } };

const options = {
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], extensionAlias: { '.js': ['.ts', '.js'] } },
  transform: { target: 'es2022' },
  plugins: [esmExternalRequirePlugin({ external: [/^node:/] }), ...editPackages, importAhead],
};
const output = {
  /** Named after a package if the chunk holds one. */
  chunkFileNames: ({ name, moduleIds }) =>
    `${/node_modules\/(?:@[^/]+\/)?([^/]+)/.exec(moduleIds.at(-1))?.[1] ?? name}-[hash].js`,
  hashCharacters: 'base36',
  comments: false,
  minify: { compress: { target: 'es2022', ...NAMES }, mangle: { toplevel: true, ...NAMES } },
  sourcemap,
};

/**
 * Breaks lines, because Node prints the whole line that threw: each `throw` gets its own line, and others end with a statement, member or
 * variable after 500 characters. With a source map, Node prints the source's line.
 */
function withLines(code) {
  /** Positions where a line may begin, with the minimum length of the line before. */
  const least = new Map();
  const add = (nodes) => nodes.forEach(({ start }) => void least.set(start, 500));
  new Visitor({
    Program: ({ body }) => add(body),
    BlockStatement: ({ body }) => add(body),
    ClassBody: ({ body }) => add(body),
    VariableDeclaration: ({ declarations }) => add(declarations.slice(1)),
    ThrowStatement: ({ start, end }) => least.set(start, 1).set(end, 1),
  }).visit(parseSync('chunk.js', code).program);
  const starts = [0];
  for (const place of [...least.keys()].sort((a, b) => a - b))
    if (place - starts.at(-1) >= least.get(place)) starts.push(place);
  return starts.map((start, i) => code.slice(start, starts[i + 1])).join('\n');
}

async function bundle(input, dir, more) {
  const bundler = await rolldown({ ...options, input });
  const made = await bundler.write({ ...output, ...more, dir });
  const chunks = made.output.filter(({ type }) => type === 'chunk');
  for (const { fileName, code } of chunks) if (!sourcemap) writeFileSync(join(dir, fileName), withLines(code));
  return chunks;
}

/** Writes the scripts for `require`: one for each entry that is only an ES module. */
function writeCommonjsEntries() {
  const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
  copyFileSync('src/commonjs.cjs', join(DIST, 'commonjs.cjs'));
  for (const { require: given } of Object.values(exports)) {
    if (!given) continue;
    const module = `./${basename(given.module)}`;
    const load = `require('./commonjs.cjs').load(() => require('${module}'), '${module}')`;
    writeFileSync(join(outdir, given.default), `'use strict';\nObject.assign(exports, ${load});\n`);
  }
}

async function bundleScripts() {
  const groups = [{ name: chunkOf, debugName: 'chunkOf' }];
  const scripts = await bundle(ENTRIES, DIST, { codeSplitting: { groups } });
  const threads = await bundle({ 'kernel-worker': 'workers/kernel-worker.ts' }, BUILD);
  for (const file of unedited) throw new Error(`no file that is bundled is ${file}`);
  writeCommonjsEntries();
  chmodSync(join(DIST, 'cli.js'), 0o755);
  const inputs = [...scripts, ...threads].flatMap(({ modules }) =>
    Object.keys(modules).filter((path) => modules[path].renderedLength > 0),
  );
  const binaries = readdirSync('build').filter((name) => name.endsWith('.wasm'));
  writeFileSync(join(DIST, 'licenses.txt'), bundledLicenses(inputs, binaries));
}

/** Files in build/ that the other steps have made. */
const made = readdirSync('build').filter((name) => /\.(ts|wasm)$|^(onnx|protobuf).*\.js$/.test(name));
const configs = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const sources = ['src', 'bindings', 'workers', 'tools', ...configs, ...made.map((name) => `build/${name}`)];
const inputs = hashOf(sources, { sourcemap });
const outputs = [DIST, join(BUILD, 'kernel-worker.js')];

if (isCurrent(DIST, inputs, outputs)) console.log(`${DIST}  unchanged`);
else {
  mkdirSync(DIST, { recursive: true });
  for (const file of readdirSync(DIST).filter((name) => /\.js(\.map)?$/.test(name))) rmSync(join(DIST, file));
  await Promise.all([bundleScripts(), outdir === '.' && bundleTypes()]);
  stamp(DIST, inputs, outputs);
  console.log(`${DIST}  built`);
}
