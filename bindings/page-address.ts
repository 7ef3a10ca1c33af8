import { builtin } from './builtin.js';

/**
 * The base of relative addresses; undefined if they are paths, as in Deno's workers, which have a location. A blob, from which Turbopack
 * starts workers, cannot be a base: then it is the page's origin.
 */
export function pageAddress(): string | undefined {
  const { document, location } = globalThis;
  if (document) return document.baseURI;
  if (location?.protocol === 'blob:') return location.origin;
  return location?.protocol === 'file:' && builtin('path') ? undefined : location?.href;
}
