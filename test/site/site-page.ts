import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// The site and its packages are there after `npm run docs:build`.
import playwright, { type Browser, type Page } from '../../site/node_modules/playwright-core/index.js';
import { CHROMIUM } from '../chromium.js';

export type { Browser, Page };

/** As long as a machine with other work to do may take, in milliseconds. */
const PATIENCE = process.env.CI ? 240_000 : 120_000;

export const BUILT = fileURLToPath(new URL('../../site/dist', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/** The built file that an address of the site names. */
export function fileAt(path: string): string | undefined {
  const name = path.endsWith('/') ? `${path}index.html` : path;
  return [name, `${name}.html`].map((each) => join(BUILT, each)).find((file) => extname(file) && existsSync(file));
}

interface Site {
  readonly browser: Browser;
  readonly address: string;
  close(): Promise<void>;
}

let site: Promise<Site> | undefined;

async function start(): Promise<Site> {
  if (!existsSync(BUILT)) throw new Error(`there is no ${BUILT}; npm run docs:build makes it`);
  const server = createServer(({ url = '/' }, response) => {
    const file = fileAt(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    const shown = file ?? join(BUILT, '404.html');
    response.writeHead(file ? 200 : 404, { 'content-type': TYPES[extname(shown)] ?? 'application/octet-stream' });
    response.end(readFileSync(shown));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await playwright.chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const close = async () => {
    await browser.close();
    server.close();
    server.closeAllConnections();
  };
  return { browser, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

export interface Setting {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly scripts?: boolean;
  /** Requests that a service worker makes are not the page's. */
  readonly worker?: boolean;
}

export interface Opened {
  readonly page: Page;
  /** Paths that the page asked for, in their order. */
  readonly asked: readonly string[];
  /** Errors of scripts and of the console, and requests to other hosts. A test wants none. */
  readonly problems: readonly string[];
  visit(path: string): Promise<void>;
  close(): Promise<void>;
}

/** A page in a context of its own. */
export async function openSite(path: string, setting: Setting = {}): Promise<Opened> {
  site ??= start();
  const { browser, address } = await site;
  const context = await browser.newContext({
    viewport: { width: setting.width ?? 1440, height: 900 },
    colorScheme: setting.scheme ?? 'light',
    reducedMotion: 'reduce',
    javaScriptEnabled: setting.scripts ?? true,
    serviceWorkers: setting.worker ? 'allow' : 'block',
  });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const problems: string[] = [];
  const asked: string[] = [];
  page.on('pageerror', ({ message }) => problems.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('request', (request) => {
    const url = request.url();
    if (url.startsWith(address)) asked.push(new URL(url).pathname);
    else if (!/^(blob|data):/.test(url)) problems.push(`a request to ${url}`);
  });
  const visit = async (to: string) => {
    await page.goto(address + to);
    await page.getByRole('heading').first().waitFor();
  };
  await visit(path);
  return { page, asked, problems, visit, close: () => context.close() };
}

/** To be called after the last test of a file, or the runner would wait for the browser. */
export async function closeSite(): Promise<void> {
  const started = site;
  site = undefined;
  await (await started)?.close();
}
