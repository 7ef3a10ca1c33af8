import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CHROMIUM, WHOLE_CHROMIUM } from '../chromium.js';
import { peers } from '../platforms/packed-package.js';
import { unavailable } from '../platforms/unavailable.js';

/** What the tests use of https://playwright.dev/docs/api/class-page. */
export interface Page {
  readonly mouse: { move(x: number, y: number): Promise<void>; down(): Promise<void>; up(): Promise<void> };
  readonly keyboard: { press(key: string): Promise<void> };
  on(event: 'pageerror', listener: (error: Error) => void): void;
  goto(address: string): Promise<unknown>;
  reload(): Promise<unknown>;
  click(selector: string): Promise<void>;
  setInputFiles(selector: string, file: string): Promise<void>;
  textContent(selector: string): Promise<string>;
  evaluate<T>(expression: string): Promise<T>;
  waitForFunction(expression: string): Promise<unknown>;
  emulateMedia(media: { colorScheme?: 'light' | 'dark'; forcedColors?: 'active' | 'none' }): Promise<void>;
  setViewportSize(size: { width: number; height: number }): Promise<void>;
  locator(selector: string): { screenshot(): Promise<Uint8Array> };
  context(): Context;
  close(): Promise<void>;
}

export interface Context {
  serviceWorkers(): readonly { url(): string }[];
  waitForEvent(event: 'serviceworker'): Promise<{ url(): string }>;
  newPage(): Promise<Page>;
  setOffline(isOffline: boolean): Promise<void>;
  close(): Promise<void>;
  newCDPSession(page: Page): Promise<{ send(method: string): Promise<Record<string, unknown>> }>;
}

export interface Browser {
  newContext(options?: { serviceWorkers: 'block' }): Promise<Context>;
  close(): Promise<void>;
}

interface Options {
  readonly executablePath: string;
  readonly args: readonly string[];
}

interface Driver {
  launch(options: Options): Promise<Browser>;
  launchPersistentContext(profile: string, options: Options): Promise<Context>;
}

/** Whether there are Chromium and what drives it; says so where not. */
export function hasChromium(): boolean {
  if (existsSync(CHROMIUM)) return peers() !== undefined;
  unavailable(`there is no ${CHROMIUM}; CHROMIUM may name another`);
  return false;
}

/** Waits for a promise of true, asked for again and again. */
export async function until(page: Page, promise: string): Promise<void> {
  while (!(await page.evaluate<boolean>(promise))) await new Promise((next) => setTimeout(next, 50));
}

export const startChromium = async (...flags: string[]): Promise<Browser> => (await driver()).launch(options(flags));

/** With all that it has around pages: what may be installed, say. */
export const startWholeChromium = async (): Promise<Browser> =>
  (await driver()).launch({ ...options([]), executablePath: WHOLE_CHROMIUM });

/** With a profile in a folder, in which alone there are extensions. */
export const startChromiumIn = async (profile: string, ...flags: string[]): Promise<Context> =>
  (await driver()).launchPersistentContext(profile, { ...options(flags), executablePath: WHOLE_CHROMIUM });

const options = (flags: readonly string[]) => ({ executablePath: CHROMIUM, args: ['--no-sandbox', ...flags] });

async function driver(): Promise<Driver> {
  const file = join(peers() as string, 'playwright-core/index.mjs');
  return (await import(pathToFileURL(file).href)).chromium;
}
