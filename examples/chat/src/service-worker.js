// Keeps the files of the page, its model and the kernels among them, from the first visit on. The build fills in both constants.
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

// Caches belong to the whole origin: the scope tells those of this page from those of the same page in another folder.
const OWN = `chat ${registration.scope} `;
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
  const { method, url } = event.request;
  if (method === 'GET' && url.startsWith(registration.scope)) event.respondWith(kept(event.request));
});

/** The page is kept under one name, since servers redirect from its other, and a page must not come of a redirection. */
async function kept(request) {
  const cache = await caches.open(CACHE);
  const url = request.url.replace(/\/index\.html(?=$|[?#])/, '/');
  return (await cache.match(url, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}
