// The licenses of the packages that a bundle contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One text of all licenses, each once; `inputs` are the paths of the bundled files. */
export function bundledLicenses(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const headings = new Map();
  for (const folder of [...new Set(folders)].sort()) {
    const { heading, text } = licenseOf(folder);
    headings.set(text, [...(headings.get(text) ?? []), heading]);
  }
  return [...headings].map(([text, packages]) => `${underlined(packages.join(', '))}\n\n${text}\n`).join('\n\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.md|\.txt)?$/i.test(entry));
  if (!file) throw new Error(`${name} ships no license text`);
  return { heading: `${name} ${version} (${license})`, text: readFileSync(join(folder, file), 'utf8').trim() };
}

const underlined = (heading) => `${heading}\n${'='.repeat(heading.length)}`;
