// Keeps the files of the page from the first visit on. The build fills in both constants.
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

// Caches belong to the whole origin: the scope tells those of this page from those of the same page in another folder.
const OWN = `sardonyx-studio ${registration.scope} `;
const CACHE = OWN + VERSION;

// Threads need a page that is isolated; what the host does not say is said here.
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

addEventListener('install', (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

async function removeOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

// A new version waits until people ask for it: a model that is open stays open.
addEventListener('message', ({ data }) => {
  if (data === 'take over') skipWaiting();
});

addEventListener('fetch', (event) => {
  if (event.request.method === 'GET' && event.request.url.startsWith(registration.scope))
    event.respondWith(kept(event.request));
});

// Scripts' addresses hold their versions; the page has many addresses, by what it is to open, and is kept under one.
async function kept(request) {
  const cache = await caches.open(CACHE);
  const isPage = request.mode === 'navigate';
  const found = await cache.match(isPage ? registration.scope : request.url, {
    ignoreSearch: isPage,
    ignoreVary: true,
  });
  if (!found) return fetch(request);
  const headers = new Headers(found.headers);
  for (const [name, value] of Object.entries(ISOLATED)) headers.set(name, value);
  return new Response(found.body, { status: found.status, headers });
}
