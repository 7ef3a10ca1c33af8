import { setFlagsFromString } from 'node:v8';
import { type Imports, instantiateSync } from '@assemblyscript/loader';
import { createEngine, type Engine } from '../../bindings/engine.js';
import { bestVariant, type Variant } from '../../bindings/features.js';
import type { Link } from '../../bindings/instance.js';
import { kernelFile, load, loadKernels } from '../../bindings/load.js';
import type { KernelName, KernelParams } from '../../bindings/parameters.js';
import { quantized } from '../../bindings/quantized.js';
import { addFiles } from '../../bindings/wasm-files.js';
import { Activation, MatMulTile } from '../../build/kernels.js';

// Node 20 has relaxed SIMD behind this flag.
if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--experimental-wasm-relaxed-simd');

export type { Engine, Variant };

/** A kernel applied to one problem; `flops` or `bytes` is the amount of work in one run. */
export interface Case {
  name: string;
  flops?: number;
  bytes?: number;
  prepare(engine: Engine): () => void;
}

export const variants = (): Variant[] => (bestVariant() === 'relaxed' ? ['simd', 'relaxed'] : ['simd']);

addFiles(quantized.files);

/** Makes instances with AssemblyScript's own loader, because the kernels are AssemblyScript. */
const link: Link = (module, imports) => instantiateSync(module, imports as Imports).instance.exports;

/** An engine with the kernels of both binaries. */
export async function newEngine(variant: Variant): Promise<Engine> {
  const engine = createEngine(await loadKernels(variant), 1, undefined, link);
  engine.extend(await load(kernelFile(variant, 'quantized')), quantized);
  return engine;
}

/** Allocates `count` floats with values around 1. */
export function floats(engine: Engine, count: number): number {
  const at = engine.allocate(count * 4);
  for (let i = 0; i < count; i++) engine.f32[at / 4 + i] = 0.5 + ((i * 7919) % 1024) / 1024;
  return at;
}

export interface Launch<K extends KernelName = KernelName> {
  kernel: K;
  params: KernelParams[K];
  tiles: number;
}

export const launching = (engine: Engine, launches: Launch[]) => () => {
  for (const { kernel, params, tiles } of launches) engine.launch(kernel, params, tiles);
};

export const noEpilogue = { bias: 0, residual: 0, activation: Activation.None, alpha: 0, beta: 0 } as const;

export const ceilDiv = (a: number, b: number) => Math.ceil(a / b);

/** Median milliseconds of one run, measured in batches that are long enough for the clock. */
export function milliseconds(run: () => void, budget = 400): number {
  const warm = performance.now();
  let warmed = 0;
  while (performance.now() - warm < 60 || warmed < 3) {
    run();
    warmed++;
  }
  const each = (performance.now() - warm) / warmed;
  const batch = Math.max(1, Math.round(4 / each));
  const times: number[] = [];
  for (const start = performance.now(); performance.now() - start < budget || times.length < 5; ) {
    const t = performance.now();
    for (let i = 0; i < batch; i++) run();
    times.push((performance.now() - t) / batch);
  }
  times.sort((a, b) => a - b);
  return times[times.length >> 1] as number;
}

/** GFLOP/s of the micro-kernel alone: repeats one small product of operands that stay in L1. */
export function ceiling(engine: Engine): number {
  const [m, n, k, inner] = [24, MatMulTile.Panel, 256, 1000];
  const params = {
    ...noEpilogue,
    ...{ a: floats(engine, m * k), b: floats(engine, n * k), y: floats(engine, m * n), m, n, k, outer: 1, inner },
    ...{ aRowStride: k, aColumnStride: 1, aOuterStride: 0, aInnerStride: 0, bOuterStride: 0, bInnerStride: 0 },
    ...{ yRowStride: n, yOuterStride: 0, yInnerStride: 0 },
    ...{ residualRowStride: 0, residualOuterStride: 0, residualInnerStride: 0, biasInnerStride: 0, tileColumns: 64 },
  };
  return (2 * m * n * k * inner) / milliseconds(() => engine.launch('matmul', params, inner)) / 1e6;
}

/** GB/s read and written by memory.copy between blocks far larger than the caches. */
export function copyBandwidth(engine: Engine): number {
  const bytes = 64 << 20;
  const from = engine.allocate(bytes);
  const to = engine.allocate(bytes);
  const rate = (2 * bytes) / milliseconds(() => engine.u8.copyWithin(to, from, from + bytes)) / 1e6;
  engine.free(from);
  engine.free(to);
  return rate;
}
