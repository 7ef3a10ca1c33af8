// Compiles targets of asconfig.json side by side, one on each core.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { manifestOf, stamp, targets } from './kernel-stamps.mjs';

/** Compilers stay for the next targets: a warm one takes two thirds of the time. */
const compilers = [];

async function compile(compiler, target, isFast) {
  compiler.postMessage({ target, isFast });
  const [made] = await once(compiler, 'message');
  return made;
}

/** Writes what compiles, and its stamp; false if not all of them did. */
export async function compileTargets(names, inputs) {
  const waiting = [...names];
  const next = async (compiler) => {
    for (let target = waiting.shift(); target; target = waiting.shift())
      if (!keep(target, inputs, await compile(compiler, target, inputs.isFast))) return false;
    return true;
  };
  while (compilers.length < Math.min(waiting.length, availableParallelism()))
    compilers.push(new Worker(new URL('./kernel-compiler.mjs', import.meta.url)));
  const complete = await Promise.all(compilers.map(next));
  return complete.every(Boolean);
}

function keep(target, inputs, { binary, manifest, complaints, error }) {
  process.stderr.write(complaints);
  if (error) {
    console.error(`assembly (${target}): ${error}`);
    return false;
  }
  const file = targets[target].outFile;
  writeFileSync(file, binary);
  writeFileSync(manifestOf(target), manifest);
  stamp(target, inputs);
  const gzip = gzipSync(binary, { level: 9 }).length;
  const note = inputs.isFast ? ', for development only' : '';
  console.log(`${file}  ${(binary.length / 1000).toFixed(1)} kB, ${(gzip / 1000).toFixed(1)} kB gzip${note}`);
  return true;
}
