// Names of chunks: letters in the order of the folders that they come of, what is loaded by them, and as much of their hash as tells
// them from all others. npm packs files in the order of names, and gzip, which sees 32 kB back, finds what is alike side by side: 10 kB.
import { basename, dirname } from 'node:path';

const NAMED = /^(.+)-([A-Z\d]{8})\.js$/;
const NAMELESS = 'chunk';

/** What esbuild is to call chunks: longer than any name of ours, so that blanks can fill up what these leave. */
export const CHUNK_NAMES = '__-[name]-[hash]';
export const isHashed = (file) => NAMED.test(basename(file));

/** The folder that most bytes of a chunk come of; where it hands on others alone, that of its entry point. */
function folderOf({ inputs, entryPoint = '' }) {
  const bytes = new Map();
  for (const [path, { bytesInOutput }] of Object.entries(inputs))
    bytes.set(dirname(path), (bytes.get(dirname(path)) ?? 0) + bytesInOutput);
  const [[folder] = [dirname(entryPoint)]] = [...bytes].sort(([, a], [, b]) => b - a);
  return folder;
}

/** aa, ab …: that order is the same as by numbers. */
const letters = (i) => String.fromCharCode(97 + Math.floor(i / 26), 97 + (i % 26));

/** Gives the name under which a file is written, of outputs as esbuild's metafile has them. */
export function chunkNames(outputs) {
  const hashed = Object.entries(outputs).filter(([path]) => isHashed(path));
  const folders = [...new Set(hashed.map(([, output]) => folderOf(output)))].sort();
  const names = new Map();
  for (const [path, output] of hashed) {
    const [, name, hash] = NAMED.exec(basename(path).replace('__-', ''));
    const start = [letters(folders.indexOf(folderOf(output))), ...(name === NAMELESS ? [] : [name])].join('-');
    const lengths = [4, 5, 6, 7, 8].map((length) => `${start}-${hash.slice(0, length)}.js`);
    const taken = new Set(names.values());
    names.set(
      basename(path),
      lengths.find((file) => !taken.has(file)),
    );
  }
  return (file) => names.get(file) ?? file;
}
