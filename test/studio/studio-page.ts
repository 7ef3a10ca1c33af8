import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
// The studio's packages are installed and its page is built by `npm run studio:build`.
import playwright, { type Browser, type Page } from '../../studio/node_modules/playwright-core/index.js';
import { serveStudio } from '../../studio/server.js';
import { CHROMIUM } from '../chromium.js';
import { patient } from './waiting.js';

export type { Browser, Page };

export const shared = (path: string) => fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url));

interface Studio {
  readonly browser: Browser;
  readonly server: Awaited<ReturnType<typeof serveStudio>>;
}

let studio: Promise<Studio> | undefined;

const peersOf = fileURLToPath(new URL('../../bench', import.meta.url));

/** A browser of one's own. */
export function launch(options: readonly string[] = []): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}; CHROMIUM may name another`);
  return playwright.chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', ...options] });
}

/** A camera and a microphone that Chromium makes up, and gives without asking. */
const DEVICES = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

async function start(): Promise<Studio> {
  return { browser: await launch(DEVICES), server: await serveStudio({ peersOf }) };
}

export interface Opened {
  readonly page: Page;
  /** What the page said went wrong: errors of scripts, of the console, requests to other origins. A test wants none. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

export interface Setting {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  readonly query?: string;
  readonly forcedColors?: boolean;
  /** Whether the page keeps its files for visits without a network: all of them, in each context anew. */
  readonly isKept?: boolean;
}

const NOT_KEPT = 'if (navigator.serviceWorker) navigator.serviceWorker.register = () => new Promise(() => {});';

/** Dialogs that give handles cannot be answered from here: the page takes the plain ones. */
export const PLAIN_DIALOGS = ['OpenFile', 'SaveFile', 'Directory']
  .map((kind) => `delete window.show${kind}Picker;`)
  .join('');

/** The studio in a browser's context of its own, at its first screen. */
export async function openStudio(setting: Setting = {}): Promise<Opened> {
  studio ??= start();
  const { browser, server } = await studio;
  const { address } = server;
  const asked = await browser.newContext({
    viewport: { width: setting.width ?? 1440, height: setting.height ?? 900 },
    colorScheme: setting.scheme ?? 'light',
    forcedColors: setting.forcedColors ? 'active' : 'none',
    reducedMotion: 'reduce',
  });
  const context = patient(asked);
  const page = await context.newPage();
  await page.addInitScript(PLAIN_DIALOGS);
  if (!setting.isKept) await page.addInitScript(NOT_KEPT);
  const problems = watched(page, address);
  await page.goto(`${address}${setting.query ?? ''}`);
  await page.getByRole('banner').waitFor();
  return { page, problems, close: () => context.close() };
}

function watched(page: Page, address: string): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data):/.test(url)) problems.push(`a request to ${url}`);
  });
  return problems;
}

/** Opens files as the page's button does, and waits for the drawing. */
export async function openFiles(page: Page, paths: string | readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await (await chooser).setFiles(typeof paths === 'string' ? paths : [...paths]);
}

/** Closes the pages of a file's tests. The browser and the server are for all files that a lane runs, and end with it. */
export async function closeStudio(): Promise<void> {
  const browser = (await studio)?.browser;
  for (const context of browser?.contexts() ?? []) await context.close();
}
