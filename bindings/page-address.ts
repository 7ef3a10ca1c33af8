import { builtin } from './builtin.js';

/**
 * What relative addresses are relative to; undefined where they are paths, as in Deno's workers, which have a location. Nothing is
 * relative to a blob, by which Turbopack starts workers: there it is the page's origin.
 */
export function pageAddress(): string | undefined {
  const { document, location } = globalThis;
  if (document) return document.baseURI;
  if (location?.protocol === 'blob:') return location.origin;
  return location?.protocol === 'file:' && builtin('path') ? undefined : location?.href;
}
