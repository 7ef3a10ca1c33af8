import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { basename, dirname, extname, join, normalize, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { onnxruntimeOf } from './peers.js';

const PAGE = fileURLToPath(new URL('dist', import.meta.url));

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

const PEER = '/peers/onnxruntime-web/';

/** Threads need a page that is isolated; the policy lets it load from nowhere else. docs/studio.md tells other hosts the same. */
const HEADERS = {
  'content-security-policy':
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob: data:; media-src 'self' blob:; worker-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** See server.d.ts. */
export async function serveStudio({ model, port = 0, page = PAGE, peersOf = process.cwd() } = {}) {
  if (!existsSync(join(page, 'index.html'))) throw new Error(`${page} holds no built studio: npm run build makes it`);
  const folder = model === undefined ? undefined : dirname(resolve(model));
  if (model !== undefined && !existsSync(model)) throw new Error(`there is no "${model}"`);
  const peer = onnxruntimeOf(peersOf);
  const packed = new Map();
  const roots = [
    ['/model/', folder],
    [PEER, peer],
    ['/', page],
  ];
  const server = createServer((request, response) => {
    const path = pathOf(request.url);
    const inModel = folder !== undefined && path.startsWith('/model/');
    if (path === '/peers/index.json') return sendPeers(response, peer);
    const file = fileAt(path, roots);
    if (file === undefined || !existsSync(file) || !statSync(file).isFile())
      return response.writeHead(404, HEADERS).end();
    if (inModel) sendPlain(response, file);
    else sendPacked(response, file, packed);
  });
  await new Promise((started, failed) => {
    server.once('error', failed);
    server.listen(port, '127.0.0.1', started);
  });
  const root = `http://127.0.0.1:${server.address().port}/`;
  const address = model === undefined ? root : `${root}?url=model/${encodeURIComponent(basename(model))}`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { address, close };
}

/** '' of what is none. */
function pathOf(address = '/') {
  try {
    const path = decodeURIComponent(new URL(address, 'http://localhost').pathname);
    return path === '/' ? '/index.html' : path;
  } catch {
    return '';
  }
}

/** The file that an address stands for, below the first of the roots whose prefix it has. */
function fileAt(path, roots) {
  const [prefix = '', folder] = roots.find(([prefix, folder]) => folder !== undefined && path.startsWith(prefix)) ?? [];
  return folder === undefined ? undefined : within(folder, path.slice(prefix.length));
}

/** The file at a path below a folder; undefined where it leads out of it. */
function within(folder, path) {
  const file = normalize(join(folder, path));
  return file.startsWith(folder + sep) ? file : undefined;
}

/** What runs models beside Sardonyx; the page asks before it looks for it. */
function sendPeers(response, peer) {
  response.writeHead(200, { ...HEADERS, 'content-type': 'application/json', 'cache-control': 'no-cache' });
  response.end(JSON.stringify(peer === undefined ? [] : ['onnxruntime-web']));
}

function sendPlain(response, file) {
  const headers = { ...HEADERS, 'content-type': 'application/octet-stream', 'content-length': statSync(file).size };
  createReadStream(file).pipe(response.writeHead(200, headers));
}

function sendPacked(response, file, packed) {
  const { mtimeMs } = statSync(file);
  const known = packed.get(file);
  const { body } = known?.mtimeMs === mtimeMs ? known : { body: gzipSync(readFileSync(file), { level: 9 }) };
  packed.set(file, { mtimeMs, body });
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const cache = /[\\/]assets[\\/]/.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache';
  response.writeHead(200, { ...HEADERS, 'content-type': type, 'content-encoding': 'gzip', 'cache-control': cache });
  response.end(body);
}
