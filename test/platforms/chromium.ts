import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, WHOLE_CHROMIUM } from '../chromium.js';
import { peers } from './packed-package.js';
import { unavailable } from './unavailable.js';

export interface Page {
  on(event: 'pageerror' | 'console', listener: (event: { message?: string; text?(): string }) => void): void;
  goto(address: string): Promise<unknown>;
  evaluate<T>(expression: string): Promise<T>;
  waitForSelector(selector: string): Promise<unknown>;
  context(): { newCDPSession(page: Page): Promise<DevTools> };
  close(): Promise<void>;
}

export interface Browser {
  /** A page that shares nothing with others. */
  newPage(): Promise<Page>;
  newBrowserCDPSession(): Promise<DevTools>;
  startTracing(page: Page, options: { categories: string[] }): Promise<void>;
  stopTracing(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Chromium's own protocol: https://chromedevtools.github.io/devtools-protocol/ */
export interface DevTools {
  send<T>(method: string, parameters?: object): Promise<T>;
}

/** What starts Chromium with an empty profile; undefined, with a message, where there is none or nothing that drives it. */
export function chromium(): (() => Promise<Browser>) | undefined {
  const installed = existsSync(CHROMIUM) ? peers() : unavailable(`there is no ${CHROMIUM}; CHROMIUM may name another`);
  return installed ? () => launch(installed) : undefined;
}

const playwright = async (installed: string) =>
  (await import(pathToFileURL(join(installed, 'playwright-core/index.mjs')).href)).chromium;

const launch = async (installed: string): Promise<Browser> =>
  (await playwright(installed)).launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });

/** A browser with an extension, whose pages are at `origin`. */
export interface ExtendedBrowser extends Pick<Browser, 'newPage' | 'close'> {
  readonly origin: string;
}

/** Extensions need a profile, and a browser that has windows, be they seen or not. */
export async function launchWithExtension(folder: string): Promise<ExtendedBrowser> {
  const only = [`--disable-extensions-except=${folder}`, `--load-extension=${folder}`];
  const options = {
    executablePath: WHOLE_CHROMIUM,
    headless: false,
    args: ['--headless=new', '--no-sandbox', ...only],
  };
  const context = await (await playwright(peers() as string)).launchPersistentContext('', options);
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  const origin = worker.url().replace(/\/[^/]*$/, '');
  return { origin, newPage: () => context.newPage(), close: () => context.close() };
}
