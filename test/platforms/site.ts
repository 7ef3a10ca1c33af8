import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

const typeOf = (path: string) => TYPES[extname(path)] ?? 'application/octet-stream';

const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const STRICT = "default-src 'none'; connect-src 'self'; script-src 'self' 'wasm-unsafe-eval'";

const HEADERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  isolated: ISOLATED,
  'no workers, isolated': { 'content-security-policy': "worker-src 'none'", ...ISOLATED },
  strict: { 'content-security-policy': STRICT },
  'no WebAssembly': { 'content-security-policy': STRICT.replace(" 'wasm-unsafe-eval'", '') },
  'strict, isolated': { 'content-security-policy': `${STRICT}; worker-src 'self'`, ...ISOLATED },
};

export interface Site {
  readonly address: string;
  /** The files that were asked for, by path: bytes, with gzip. */
  readonly loaded: Map<string, number>;
  close(): void;
}

/** Answers requests for paths of a certain beginning as no plain server does. */
export type Routes = Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>>;

/** Serves a folder with gzip; the query says which of HEADERS apply, and `/page?script=x.js` is a page with that script, or none. */
export async function serve(folder: string, routes: Routes = {}): Promise<Site> {
  const loaded = new Map<string, number>();
  const packed = new Map<string, Buffer>();
  const read = (path: string) => {
    const known = packed.get(path) ?? gzipSync(readFileSync(join(folder, path)), { level: 9 });
    packed.set(path, known);
    loaded.set(path, known.length);
    return known;
  };
  const policy = { current: {} as Readonly<Record<string, string>> };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url as string, 'http://localhost');
    const isDocument = searchParams.has('policy');
    if (isDocument) policy.current = HEADERS[searchParams.get('policy') as string] ?? {};
    const route = Object.keys(routes).find((start) => pathname.startsWith(start));
    if (route) return routes[route]?.(request, response);
    const isPage = pathname === '/page';
    try {
      const body = isPage
        ? gzipSync(
            `<!doctype html><title>Page</title><script type="module" src="${searchParams.get('script') ?? ''}"></script>`,
          )
        : read(pathname);
      const type = isPage ? 'text/html' : typeOf(pathname);
      response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip', ...policy.current });
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `http://127.0.0.1:${port}`, loaded, close };
}
