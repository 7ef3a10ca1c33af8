// The licenses of third-party code in the package: packages in bundles, and code that is compiled into binaries.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(path, import.meta.url));

const notice = (name, heading) => ({ heading, text: readFileSync(pathOf(`./notices/${name}.txt`), 'utf8').trim() });
const wasiLibc = () => notice('wasi-libc', 'wasi-libc, musl (MIT)');

/** Third-party code in binaries of these names. */
const COMPILED_IN = [
  [/^(sardonyx|quantized)\..*\.wasm$/, () => [licenseOf(pathOf('../node_modules/assemblyscript'))]],
  [/^jpeg-decoder\.wasm$/, () => [notice('libjpeg-turbo', 'libjpeg-turbo (IJG, BSD-3-Clause)'), wasiLibc()]],
  [/^webp-decoder\.wasm$/, () => [notice('libwebp', 'libwebp (BSD-3-Clause)'), wasiLibc()]],
];

/** One text of all licenses, each once; `inputs` are the paths of the bundled files, `binaries` those of the binaries. */
export function bundledLicenses(inputs, binaries) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const works = [...[...new Set(folders)].sort().map(licenseOf), ...binaries.flatMap(compiledInto)];
  const sections = works.map(({ heading, text }) => `${heading}\n${'='.repeat(heading.length)}\n\n${text}\n`);
  return [...new Set(sections)].join('\n\n');
}

/** The text of a package's license, and its notices. */
function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)(\.md|\.txt)?$/i.test(file));
  if (!files.some((file) => /^licen/i.test(file))) throw new Error(`${name} ships no license text`);
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return { heading: `${name} ${version} (${license})`, text: texts.join('\n\n') };
}

function compiledInto(path) {
  const found = COMPILED_IN.find(([name]) => name.test(basename(path)));
  if (!found) throw new Error(`${path}: tools/bundled-licenses.mjs does not say what is compiled into it`);
  return found[1]();
}
