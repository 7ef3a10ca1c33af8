import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import playwright, {
  type Browser,
  type BrowserContextOptions,
  type Page,
} from '../../../studio/node_modules/playwright-core/index.js';
import { CHROMIUM } from '../../chromium.js';
import { patient } from '../waiting.js';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const STYLES = ['../../../studio/src/ui/tokens.css', '../../../studio/src/canvas/graph.css'];

export interface CanvasPage {
  readonly page: Page;
  close(): Promise<void>;
}

let browser: Promise<Browser> | undefined;
let script: Promise<string> | undefined;

/** page.ts in a browser, alone: the drawing without the studio around it. */
export async function openCanvas(options: BrowserContextOptions = {}, theme = 'light'): Promise<CanvasPage> {
  browser ??= playwright.chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  script ??= bundled(new URL('page.ts', import.meta.url));
  const asked = await (await browser).newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const context = patient(asked);
  const page = await context.newPage();
  page.on('pageerror', (error) => console.error(error));
  const styles = STYLES.map((file) => readFileSync(here(file), 'utf8')).join('\n');
  await page.setContent(
    `<!doctype html><html lang="en" data-theme="${theme}"><title>Canvas</title><style>${styles} body { margin: 0; height: 100vh }</style><main></main></html>`,
  );
  await page.addScriptTag({ content: await script });
  return { page, close: () => context.close() };
}

/** A script for the page, with all that it imports. */
export async function bundled(script: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  });
  return outputFiles[0]?.text ?? '';
}

export async function closeCanvas(): Promise<void> {
  const open = browser;
  browser = undefined;
  await (await open)?.close();
}
