import { InferenceSession, SardonyxError } from 'sardonyx';
import { cached } from 'sardonyx/cache';

/**
 * A session of a model that is downloaded once and then kept: in a folder in Node, Deno and Bun, in the Cache API in pages.
 * @param {string | URL} url
 * @param {import('sardonyx/cache').CacheOptions} [options] among them `integrity`, `signal` and `onProgress`
 */
export async function cachedSession(url, options = {}) {
  try {
    return await InferenceSession.create(await cached(url, options));
  } catch (error) {
    const cannotKeep = error instanceof SardonyxError && ['STORAGE', 'UNSUPPORTED_PLATFORM'].includes(error.code);
    if (!cannotKeep) throw error; // No network, a wrong hash, no model …
    console.warn(`${error.message}: the model is downloaded, and not kept`);
    const { onProgress, signal } = options;
    return InferenceSession.create(url, { onProgress, signal });
  }
}
