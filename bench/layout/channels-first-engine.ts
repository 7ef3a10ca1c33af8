import { readFileSync } from 'node:fs';
import asc from 'assemblyscript/asc';
import type { Variant } from '../kernels/measure.js';
import { type Layer, outSize } from './networks.js';

interface Exports {
  packWeights(packed: number, w: number, outChannels: number, depth: number): void;
  pointwise(layer: number): void;
  convolution(layer: number): void;
  depthwise(layer: number): void;
}

/** channels-first.ts, compiled with the options of the product's kernels. */
export async function compile(variant: Variant): Promise<WebAssembly.Module> {
  const { options, targets } = JSON.parse(readFileSync('asconfig.json', 'utf8'));
  const flags = Object.entries({ ...options, enable: targets[variant].enable.join(',') })
    .filter(([, value]) => value !== false)
    .flatMap(([name, value]) => (value === true ? [`--${name}`] : [`--${name}`, String(value)]));
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const writeFile = (_: string, contents: Uint8Array | string) => {
    binary = contents as Uint8Array<ArrayBuffer>;
  };
  const source = 'bench/layout/channels-first.ts';
  const { error, stderr } = await asc.main([source, ...flags, '--config', 'none', '--outFile', 'x.wasm'], {
    writeFile,
  });
  if (error || !binary) throw new Error(`${error?.message}\n${stderr}`);
  return WebAssembly.compile(binary);
}

export interface Data {
  x: Float32Array;
  w: Float32Array;
  bias: Float32Array;
}

/** How a layer may be computed: the kernel, and output pixels per block. */
export interface Way {
  kernel: 'pointwise' | 'convolution' | 'depthwise';
  block: number;
}

const HEAP_BASE = 1 << 16;
/** Panels of a block stay within the second-level cache. */
const SCRATCH_BYTES = 4 << 20;

/** All ways worth a trial. */
export function waysOf(layer: Layer): Way[] {
  if (layer.kind === 'depthwise') return [{ kernel: 'depthwise', block: 0 }];
  const { channels, kernel, stride } = layer;
  const pixels = outSize(layer) ** 2;
  const blocks = [8, 24, 48, 96, 192, 400, 800].filter((block) => block < pixels + 400);
  const packed = blocks.filter((block) => block === 8 || block * channels * kernel ** 2 * 4 <= SCRATCH_BYTES);
  const ways: Way[] = packed.map((block) => ({ kernel: 'convolution', block }));
  if (kernel > 1 || stride > 1) return ways;
  return [...ways, ...blocks.map((block): Way => ({ kernel: 'pointwise', block }))];
}

/** One layer in an instance of its own. */
export function prepare(module: WebAssembly.Module, layer: Layer, { x, w, bias }: Data) {
  const { channels, outChannels, size, kernel, stride, pad } = layer;
  const out = outSize(layer);
  const depth = layer.kind === 'depthwise' ? kernel ** 2 : channels * kernel ** 2;
  const outputs = outChannels * out * out;
  let end = HEAP_BASE;
  const allocate = (bytes: number) => {
    const at = end;
    end = (at + bytes + 63) & -64;
    return at;
  };
  const params = allocate(64);
  const at = { x: allocate(x.byteLength), w: allocate(w.byteLength), bias: allocate(bias.byteLength) };
  const [raw, y, scratch] = [allocate(w.byteLength), allocate(outputs * 4), allocate(SCRATCH_BYTES)];
  const memory = new WebAssembly.Memory({ initial: (end >> 16) + 1, maximum: 65536 });
  const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Exports;
  const f32 = new Float32Array(memory.buffer);
  f32.set(x, at.x / 4);
  f32.set(bias, at.bias / 4);
  f32.set(w, raw / 4);
  if (layer.kind === 'depthwise') f32.set(w, at.w / 4);
  else exports.packWeights(at.w, raw, outChannels, depth);
  const i32 = new Int32Array(memory.buffer);
  return {
    output: f32.subarray(y / 4, y / 4 + outputs),
    run(way: Way) {
      const shape = [channels, outChannels, size, size, out, out, kernel, stride, pad];
      i32.set([at.x, at.w, at.bias, y, scratch, way.block, ...shape], params / 4);
      exports[way.kernel](params);
    },
  };
}
