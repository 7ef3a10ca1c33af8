// `sardonyx` with its kernels in the script, for hosts that serve no other files. One thread, SIMD.
import { inlineKernels } from '../build/inline-kernels.js';
import { env } from './index.js';

export * from './index.js';

let kernels: Promise<ArrayBuffer> | undefined;

env.wasm.numThreads = 1;
env.wasm.source = (file) => {
  if (!file.startsWith('sardonyx.')) throw new Error(`${file} is not in sardonyx/inline: give it with env.wasm.source`);
  kernels ??= unpack(inlineKernels);
  return kernels;
};

function unpack(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}
