import { quoted } from './near.js';

const fileName = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Files that were passed but not used. A file may be passed under several paths if one of them is the model's. */
export function unusedFiles(given: readonly string[], wanted: readonly string[]): string {
  const used = new Set(wanted.map(fileName));
  const unused = new Set(given.map(fileName).filter((name) => !used.has(name)));
  if (unused.size === 0) return '';
  return `externalData ${quoted(unused)} is not used: the model refers to ${quoted(wanted) || 'no other files'}`;
}
