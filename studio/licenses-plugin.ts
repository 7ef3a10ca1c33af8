import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { bundledLicenses } from '../tools/bundled-licenses.mjs';

/** Collects what the page's and its workers' bundles are made of, and writes the licenses of that beside them. */
export function licenses(): { readonly collect: () => Plugin; readonly write: () => Plugin } {
  const inputs = new Set<string>();
  let folder = 'dist';
  const collect = (): Plugin => ({
    name: 'collect-licenses',
    apply: 'build',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk') for (const id of file.moduleIds) inputs.add(id.replace(/[?\0].*$/, ''));
    },
  });
  const write = (): Plugin => ({
    name: 'write-licenses',
    apply: 'build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    closeBundle() {
      const assets = join(folder, 'assets');
      // Names of assets end in a hash, and the binaries' own do not.
      const binaries = readdirSync(assets).flatMap(
        (name) => /^(.*)-[\w-]{8}(\.wasm)$/.exec(name)?.slice(1, 3).join('') ?? [],
      );
      writeFileSync(join(folder, 'licenses.txt'), `${bundledLicenses([...inputs].sort(), binaries)}\n`);
    },
  });
  return { collect, write };
}
