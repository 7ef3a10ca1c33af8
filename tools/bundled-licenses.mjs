// The licenses of what the package contains beyond these sources: packages in bundles, and what is compiled into binaries.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const atRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const notice = (name, heading) => ({
  heading,
  text: readFileSync(fileURLToPath(new URL(`./notices/${name}.txt`, import.meta.url)), 'utf8').trim(),
});
const wasiLibc = () => notice('wasi-libc', 'wasi-libc, musl (MIT)');

/** What is compiled into binaries of these names. */
const COMPILED_IN = [
  [/^(sardonyx|quantized)\..*\.wasm$/, () => [licenseOf(atRoot('node_modules/assemblyscript'))]],
  ['jpeg-decoder.wasm', () => [notice('libjpeg-turbo', 'libjpeg-turbo (IJG, BSD-3-Clause)'), wasiLibc()]],
  ['webp-decoder.wasm', () => [notice('libwebp', 'libwebp (BSD-3-Clause)'), wasiLibc()]],
];

/** One text of all licenses, each once; `inputs` are the paths of the bundled files, `binaries` those of the binaries. */
export function bundledLicenses(inputs, binaries) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const all = [...[...new Set(folders)].sort().map(licenseOf), ...binaries.flatMap(compiledInto)];
  const works = new Map(all.map((work) => [work.heading, work]));
  const sections = new Map();
  for (const work of works.values()) sections.set(bare(work.text), [...(sections.get(bare(work.text)) ?? []), work]);
  return [...sections.values()].map(section).join('\n\n');
}

/** Texts are the same, however they are indented. */
const bare = (text) => text.replace(/\s+/g, ' ');

function section(works) {
  const heading = works.map((work) => work.heading).join(', ');
  const own = works.filter((work) => work.own).map((work) => `\n${work.heading}:\n\n${work.own}\n`);
  return [underlined(heading), '', textOf(works[0]), ...own].join('\n');
}

/** The package has the text of its own license once. */
const OWN = bare(withoutAppendix(readFileSync(atRoot('LICENSE'), 'utf8')).text).trim();
const textOf = ({ text }) =>
  bare(text).trim() === OWN ? 'The text is that of LICENSE, which lies beside the folder of this file.' : text;

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder);
  const file = files.find((entry) => /^licen[cs]e(\.md|\.txt)?$/i.test(entry));
  if (!file) throw new Error(`${name} ships no license text`);
  const read = (entry) => readFileSync(join(folder, entry), 'utf8').trim();
  const { text, own } = withoutAppendix(read(file));
  const notices = files.filter((entry) => /^notice(\.md|\.txt)?$/i.test(entry)).map(read);
  return { heading: `${name} ${version} (${license})`, text, own: [...own, ...notices].join('\n\n') };
}

/** The Apache License ends with how to apply it: of that only whose the copyright is. */
function withoutAppendix(license) {
  const [text, appendix = ''] = license.split(/\n\s*APPENDIX: How to apply the Apache License/);
  return {
    text: text.trimEnd(),
    own: appendix.match(/^ *Copyright (?!.*\byyyy\b).*$/gm)?.map((line) => line.trim()) ?? [],
  };
}

function compiledInto(path) {
  const found = COMPILED_IN.find(([name]) => basename(path).match(name)?.[0] === basename(path));
  if (!found) throw new Error(`${path}: tools/bundled-licenses.mjs does not say what is compiled into it`);
  return found[1]();
}

const underlined = (heading) => `${heading}\n${'='.repeat(heading.length)}`;
