// Keeps the files of the app, the model and the kernels among them, from the first visit on. The build fills in both constants.
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

// Caches belong to the whole origin: the scope tells those of this app from those of the same app in another folder.
const OWN = `digits ${registration.scope} `;
const CACHE = OWN + VERSION;

addEventListener('install', (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

async function removeOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(kept(event.request));
});

// The page is kept under one name, since servers redirect from its other, and a page must not come of a redirection. Files are
// the same whoever asks, whatever a server says: that of `vite preview` sends `Vary: Origin`.
async function kept(request) {
  const cache = await caches.open(CACHE);
  const url = request.url.replace(/\/index\.html(?=$|[?#])/, '/');
  return (await cache.match(url, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}
