import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type Consumer, consumer } from '../installed-package.js';

const here = fileURLToPath(new URL('.', import.meta.url));

/** A folder with the package, transformers.js and these programs. */
export function withTransformers(peers: string, programs: readonly string[]): Consumer {
  const made = consumer();
  for (const program of programs) cpSync(join(here, program), join(made.folder, program));
  writeFileSync(join(made.folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(peers, '@huggingface'), join(made.folder, 'node_modules/@huggingface'));
  return made;
}

/** What a program prints as JSON. */
export const printed = <T>({ folder }: Consumer, program: string, ...args: readonly string[]): T =>
  JSON.parse(
    execFileSync(process.execPath, [join(folder, program), ...args], { encoding: 'utf8', maxBuffer: 2 ** 26 }),
  );

/** The bundler's aliases of docs/onnxruntime.md. */
export const ALIAS = { 'onnxruntime-web': 'sardonyx/onnxruntime', 'onnxruntime-common': 'sardonyx/onnxruntime' };

/** The folders of a site of one page with these scripts, bundled; kernels are in `build`. */
export async function siteOf(
  { folder, package: installed }: Consumer,
  scripts: readonly string[],
  alias: Readonly<Record<string, string>> = ALIAS,
): Promise<Record<'' | 'build', string>> {
  const site = join(folder, `site-${scripts.length}`);
  await build({
    absWorkingDir: folder,
    entryPoints: [...scripts],
    outdir: join(site, 'assets'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    alias: { ...alias },
    logLevel: 'error',
  });
  const tags = scripts.map((script) => `<script type="module" src="assets/${script}"></script>`);
  writeFileSync(join(site, 'index.html'), `<!doctype html><meta charset="utf-8">${tags.join('')}`);
  return { '': site, build: join(installed, 'build') };
}
