import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const build = new URL('../../build/', import.meta.url);
const bytesOf = (file: string) => readFileSync(new URL(file, build));
const [MAIN, PAGE] = ['sardonyx', 65536];
const mainOf = (file: string) => file.replace(/^\w+/, MAIN);

/** Binaries of other kernels that this host runs beside the main one. */
const others = readdirSync(build)
  .filter((file) => /^\w+\.(simd|relaxed)\.wasm$/.test(file) && !file.startsWith(MAIN))
  .filter((file) => WebAssembly.validate(bytesOf(mainOf(file))));

const test = suite('constants of kernels');

/** The first and the last place that a binary writes to when it is instantiated; undefined if it writes nothing. */
function extentOf(file: string): [from: number, to: number] | undefined {
  const memory = new WebAssembly.Memory({ initial: 2, maximum: 65536 });
  const abort = () => {
    throw new Error('aborted');
  };
  new WebAssembly.Instance(new WebAssembly.Module(bytesOf(file)), { env: { memory, abort } });
  const written = [...new Uint8Array(memory.buffer).entries()].flatMap(([at, byte]) => (byte ? [at] : []));
  return written.length ? [written[0] as number, written.at(-1) as number] : undefined;
}

// One memory has those of all binaries that a session loads, below what the host gives out.
for (const file of others)
  test(`of ${file} lie behind the main binary's, in the first page`, () => {
    const main = extentOf(mainOf(file));
    const own = extentOf(file);
    const end = (main as [number, number])[1];
    if (own) assert.ok(own[0] > end && own[1] < PAGE, `${own} beside ${main}`);
  });

test.run();
