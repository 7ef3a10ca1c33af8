// Makes a bundled script small, and leaves what people read in consoles and stacks: names and short lines.
import remapping from '@jridgewell/remapping';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { parse } from 'acorn';
import { minifySync } from 'oxc-minify';

/**
 * Node prints the whole line that threw. Columns after which a line ends with the next of these tokens, where a new line changes
 * nothing: at 160 the package had 4 kB more, at 500 it had 2 kB less.
 */
const LINE = 300;
const ENDS = new Set([';', ',', '{']);

/** What bundlers look for in scripts, they look for in quotes. */
const ADDRESS = /((?:new URL|import)\()`([^`$\\"]+)`/g;

/**
 * Keeps the names of classes, and of functions if `keepsFunctions`, which takes 2 % more bytes.
 * With the source map of `code`, gives that of the result too.
 */
export function minify(file, code, { keepsFunctions, map }) {
  const keepNames = { class: true, function: keepsFunctions };
  const made = minifySync(file, code, {
    module: true,
    compress: { target: 'es2022', keepNames },
    mangle: { toplevel: true, keepNames },
    sourcemap: map !== undefined,
  });
  if (made.errors.length) throw new Error(`${file}: ${made.errors[0].message}`);
  const text = made.code.replace(ADDRESS, '$1"$2"');
  const breaks = lineBreaks(text);
  const lines = [0, ...breaks].map((start, i) => text.slice(start, breaks[i]));
  return {
    code: lines.join('\n'),
    map: map && remapping([withBreaks(made.map, text, breaks), map], () => null),
  };
}

/** The offsets at which lines are to begin. */
function lineBreaks(text) {
  const breaks = [];
  const onToken = ({ type, end }) => {
    if (end - (breaks.at(-1) ?? 0) >= LINE && ENDS.has(type.label)) breaks.push(end);
  };
  parse(text, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true, onToken });
  return breaks;
}

/** The source map of a text, with more lines. */
function withBreaks(map, text, breaks) {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
  const newStarts = [...starts, ...breaks].sort((a, b) => a - b);
  const lines = newStarts.map(() => []);
  let line = 0;
  for (const [i, segments] of decode(map.mappings).entries())
    for (const [column, ...origin] of segments) {
      const offset = starts[i] + column;
      while (newStarts[line + 1] <= offset) line++;
      lines[line].push([offset - newStarts[line], ...origin]);
    }
  return { ...map, mappings: encode(lines) };
}
