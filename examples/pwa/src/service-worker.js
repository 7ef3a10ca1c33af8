// Caches all files of the app, including the model and the kernels, on the first visit. The build sets both constants.
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

// All pages of an origin share its caches: the scope keeps the same app in another folder apart.
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

// The page is cached as `/` only: servers redirect from `/index.html`, and a navigation must not be answered with a redirected
// response. `Vary` is ignored, because `vite preview` sends `Vary: Origin` although its files do not vary.
async function kept(request) {
  const cache = await caches.open(CACHE);
  const url = request.url.replace(/\/index\.html(?=$|[?#])/, '/');
  return (await cache.match(url, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}
