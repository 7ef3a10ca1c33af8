// Keeps the files of the site from the first visit on. The build fills in both constants.
const VERSION = '__VERSION__';
const FILES = ['__FILES__'];

// Caches belong to the whole origin: the scope tells those of this site from others.
const OWN = `sardonyx-site ${registration.scope} `;
const CACHE = OWN + VERSION;

addEventListener('install', (event) => {
  skipWaiting();
  const requests = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

async function removeOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith(OWN) && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope)) return;
  event.respondWith(request.mode === 'navigate' ? page(request) : file(request));
});

/** Pages come from the network, so that they are current, and without one from the cache. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const [url] = request.url.split(/[?#]/);
    for (const name of [url, `${url}.html`, url.replace(/index\.html$/, '')]) {
      const kept = await match(name);
      if (kept) return kept;
    }
    throw error;
  }
}

/** Names of files change with their contents. */
async function file(request) {
  const kept = await match(request.url);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) {
    const copy = response.clone();
    const cache = await caches.open(CACHE);
    await cache.put(request.url, copy);
  }
  return response;
}

async function match(url) {
  const cache = await caches.open(CACHE);
  return cache.match(url, { ignoreSearch: true, ignoreVary: true });
}
