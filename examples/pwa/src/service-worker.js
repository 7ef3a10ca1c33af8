// Keeps the files of the app, the model and the kernels among them, from the first visit on. The build fills in both constants.
const CACHE = 'digits-__VERSION__';
const FILES = ['__FILES__'];

addEventListener('install', (event) => {
  const requests = FILES.map((file) => new Request(file, { cache: 'no-cache' }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(requests)));
});

addEventListener('activate', (event) => event.waitUntil(Promise.all([removeOldCaches(), clients.claim()])));

async function removeOldCaches() {
  const old = (await caches.keys()).filter((name) => name.startsWith('digits-') && name !== CACHE);
  await Promise.all(old.map((name) => caches.delete(name)));
}

addEventListener('fetch', (event) => {
  if (event.request.method === 'GET') event.respondWith(kept(event.request));
});

async function kept(request) {
  const cache = await caches.open(CACHE);
  return (await cache.match(request, { ignoreSearch: true })) ?? fetch(request);
}
