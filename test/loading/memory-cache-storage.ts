/** The Cache API as far as it is used, in memory; refuses more than `quota` bytes as browsers do. */
export function memoryCacheStorage(quota = Number.POSITIVE_INFINITY) {
  const caches = new Map<string, Map<string, { bytes: Uint8Array<ArrayBuffer>; headers: [string, string][] }>>();
  let used = 0;
  const open = async (name: string) => {
    const entries = caches.get(name) ?? new Map();
    caches.set(name, entries);
    return {
      match: async (url: string) => {
        const found = entries.get(url);
        return found && new Response(found.bytes, { headers: found.headers });
      },
      async put(url: string, response: Response) {
        // https://w3c.github.io/ServiceWorker/#cache-put
        if (response.headers.get('vary')?.includes('*')) throw new TypeError('Vary: *');
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (used + bytes.length > quota) throw new DOMException('full', 'QuotaExceededError');
        used += bytes.length;
        entries.set(url, { bytes, headers: [...response.headers] });
      },
      keys: async () => [...entries.keys()].map((url) => ({ url })),
      delete: async (url: string) => entries.delete(url),
    };
  };
  return { open } as unknown as CacheStorage;
}
