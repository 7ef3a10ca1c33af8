import { InferenceSession, SardonyxError } from 'sardonyx';
import { cached } from 'sardonyx/cache';

/**
 * Creates a session with a model that is downloaded once and then cached: in a folder in Node, Deno and Bun, in the Cache API in pages.
 * @param {string | URL} url
 * @param {import('sardonyx/cache').CacheOptions} [options] such as `integrity`, `signal` and `onProgress`
 */
export async function cachedSession(url, options = {}) {
  try {
    return await InferenceSession.create(await cached(url, options));
  } catch (error) {
    const cannotCache = error instanceof SardonyxError && ['STORAGE', 'UNSUPPORTED_PLATFORM'].includes(error.code);
    if (!cannotCache) throw error; // No network, wrong hash, not a model …
    console.warn(`${error.message}: the model is not cached`);
    const { onProgress, signal } = options;
    return InferenceSession.create(url, { onProgress, signal });
  }
}
