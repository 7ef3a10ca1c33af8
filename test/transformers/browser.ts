import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { CHROMIUM } from '../chromium.js';
import { unavailable } from '../platforms/unavailable.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Whether there is a Chromium; where SARDONYX_PLATFORMS is set there must be. */
export function hasChromium(): boolean {
  if (existsSync(CHROMIUM)) return true;
  unavailable(`there is no ${CHROMIUM}`);
  return false;
}

/** Serves folders by the first part of the path; '' is the folder of all other paths. */
async function serve(folders: Readonly<Record<string, string>>) {
  const server = createServer(({ url }, response) => {
    const [, first = '', ...rest] = new URL(url ?? '/', 'http://localhost').pathname.split('/');
    const file =
      first in folders ? join(folders[first] as string, ...rest) : join(folders[''] as string, first, ...rest);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    return response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(expression: string): Promise<unknown>;
  on(event: 'console' | 'pageerror', listener: (message: { text?(): string; message?: string }) => void): void;
}

/** What `globalThis.finished` of a page becomes. */
export async function resultOf(
  peers: string,
  folders: Readonly<Record<string, string>>,
  path: string,
): Promise<unknown> {
  const { chromium } = await import(join(peers, 'playwright-core/index.mjs'));
  const site = await serve(folders);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page: Page = await browser.newPage();
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text?.() ?? ''));
    page.on('pageerror', (error) => said.push(error.message ?? ''));
    await page.goto(`${site.origin}/${path}`);
    return await page.evaluate('globalThis.finished').catch((error: Error) => {
      throw new Error(`${error.message}; the page said: ${said.join('\n')}`);
    });
  } finally {
    await browser.close();
    site.close();
  }
}
