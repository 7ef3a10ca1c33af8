import { builtin } from './builtin.js';

/** What relative addresses are relative to; undefined where they are paths, as in Deno's workers, which have a location. */
export function pageAddress(): string | undefined {
  const { document, location } = globalThis;
  if (document) return document.baseURI;
  return location?.protocol === 'file:' && builtin('path') ? undefined : location?.href;
}
