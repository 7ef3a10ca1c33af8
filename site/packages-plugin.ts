import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** Lets pages in docs/, which has no node_modules, import the packages of the site. */
export const packagesOfSite = (): Plugin => ({
  name: 'packages-of-site',
  enforce: 'pre',
  resolveId(id, importer, options) {
    if (!/^(vue|vitepress)($|\/)/.test(id) || importer?.startsWith(HERE)) return null;
    return this.resolve(id, join(HERE, 'package.json'), { ...options, skipSelf: true });
  },
});
