import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { plainCorners, repositoryLinks, slugOf } from '../links.js';
import { writeServiceWorker } from '../offline.js';
import { packagesOfSite } from '../packages-plugin.js';
import { COPIED, DOCS, ROOT, sidebar } from '../pages.js';
import { runtime, writeRuntime } from '../runtime-plugin.js';
import { searched } from '../search.js';

for (const [page, file] of Object.entries(COPIED)) cpSync(join(ROOT, file), join(DOCS, `generated/${page}.md`));

/** Parts of VitePress's theme that no page shows. */
const UNUSED =
  /^\.\/VP(DocAsideCarbonAds|DocAsideSponsors|DocFooterLastUpdated|NavBarTranslations|NavScreenTranslations|SocialLinks|Features)\.vue$/;

/** A stone with bands. */
const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><circle cx='8' cy='8' r='8' fill='%239c3d1e'/><path d='M2 6c4-2 8 2 12 0M2 10c4-2 8 2 12 0' fill='none' stroke='white' stroke-width='1.5'/></svg>";

export default defineConfig({
  title: 'Sardonyx',
  description: 'Runs ONNX models wherever JavaScript runs',
  lang: 'en-US',
  head: [['link', { rel: 'icon', href: ICON }]],
  srcDir: '../docs',
  outDir: '../site/dist',
  cacheDir: '../site/node_modules/.cache/vitepress',
  rewrites: { 'generated/:path(.*)': ':path' },
  router: { prefetchLinks: false },
  markdown: {
    linkify: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    anchor: { slugify: slugOf },
    config: (md) => {
      repositoryLinks(md);
      plainCorners(md);
    },
  },
  vue: { features: { optionsAPI: false } },
  vite: {
    plugins: [packagesOfSite(), runtime()],
    resolve: {
      alias: [
        { find: UNUSED, replacement: join(ROOT, 'site/.vitepress/theme/Nothing.ts') },
        { find: /^@docsearch\/css$/, replacement: '@docsearch/css/dist/button.css' },
      ],
    },
    assetsInclude: ['**/*.onnx'],
    build: { target: 'es2022', assetsInlineLimit: 0, chunkSizeWarningLimit: 2000 },
    server: { fs: { allow: [ROOT] } },
  },
  async buildEnd({ outDir }) {
    await writeRuntime(outDir);
    writeServiceWorker(outDir);
  },
  themeConfig: {
    nav: [
      { text: 'Guides', link: '/recipes' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'API', link: '/api/' },
      { text: 'GitHub', link: 'https://github.com/sardonyx-js/sardonyx' },
    ],
    sidebar: sidebar(),
    outline: { level: [2, 3] },
    search: { provider: 'local', options: { _render: searched } },
  },
});
