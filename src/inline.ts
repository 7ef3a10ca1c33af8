// `sardonyx` with its kernels in the script, for hosts that serve no other files. One thread.
import { inlineKernels } from '../build/inline-kernels.js';
import { env } from './index.js';

export * from './index.js';

const unpacked = new Map<string, Promise<ArrayBuffer>>();

env.wasm.numThreads = 1;
env.wasm.source = (file) => {
  const name = file.replace('-threads', '');
  const known = unpacked.get(name);
  if (known) return known;
  const packed = inlineKernels[name as keyof typeof inlineKernels];
  if (!packed) throw new Error(`${file} is not in sardonyx/inline: give it with env.wasm.source`);
  const bytes = unpack(packed);
  unpacked.set(name, bytes);
  return bytes;
};

function unpack(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
