import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

export interface Site {
  readonly address: string;
  /** Paths that were asked for. */
  readonly asked: Set<string>;
  /** Ends all connections too. */
  stop(): Promise<void>;
}

/** Serves the files of a folder as any server of static files does, with these headers besides. */
export async function serveFolder(folder: string, headers: Readonly<Record<string, string>> = {}): Promise<Site> {
  const asked = new Set<string>();
  const server = createServer(({ url }, response) => {
    const { pathname } = new URL(url as string, 'http://localhost');
    asked.add(pathname);
    const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    const body = readFileSync(file);
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    return response.writeHead(200, { 'content-type': type, 'content-length': body.length, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { address: `http://127.0.0.1:${port}/`, asked, stop };
}
