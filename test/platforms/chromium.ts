import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { peers } from './packed-package.js';

export interface Page {
  on(event: 'pageerror' | 'console', listener: (event: { message?: string; text?(): string }) => void): void;
  goto(address: string): Promise<unknown>;
  evaluate<T>(expression: string): Promise<T>;
  close(): Promise<void>;
}

export interface Browser {
  /** A page that shares nothing with others. */
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** The folder with the platforms and bundlers, if Chromium is there too; undefined, with a message, where they cannot be had. */
export function chromiumPeers(): string | undefined {
  if (existsSync(CHROMIUM)) return peers();
  const complaint = `there is no ${CHROMIUM}; CHROMIUM may name another`;
  if (process.env.SARDONYX_PLATFORMS) throw new Error(complaint);
  console.log(`skipped: ${complaint}`);
  return undefined;
}

export async function launch(installed: string): Promise<Browser> {
  const { chromium } = await import(pathToFileURL(join(installed, 'playwright-core/index.mjs')).href);
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
}
