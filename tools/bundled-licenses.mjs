// The licenses of the packages that a bundle contains.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One text of all licenses; `inputs` are the paths of the bundled files. */
export function bundledLicenses(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort().map(licenseOf).join('\n\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.md|\.txt)?$/i.test(entry));
  if (!file) throw new Error(`${name} ships no license text`);
  const heading = `${name} ${version} (${license})`;
  return `${heading}\n${'='.repeat(heading.length)}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
