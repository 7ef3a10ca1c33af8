import { setFlagsFromString } from 'node:v8';
import { type Imports, instantiateSync } from '@assemblyscript/loader';
import { createEngine, type Engine } from '../../bindings/engine.js';
import { bestVariant, type Variant } from '../../bindings/features.js';
import type { Link } from '../../bindings/instance.js';
import { kernelFile, load, loadKernels } from '../../bindings/load.js';
import type { KernelName, KernelParams } from '../../bindings/parameters.js';
import { quantized } from '../../bindings/quantized.js';
import { addFiles } from '../../bindings/wasm-files.js';
import { IntegerDots } from '../../build/quantized-kernels.js';
import { integerDots } from '../../src/backends/wasm/lower/integer-dots.js';
import { beyond, isAtLeast } from '../tier.js';

// Node 20 has relaxed SIMD behind this flag; later engines ignore it.
setFlagsFromString('--experimental-wasm-relaxed-simd');

const possible: Variant[] = bestVariant() === 'relaxed' ? ['simd', 'relaxed'] : ['simd'];
const wanted = process.env.SARDONYX_VARIANT;

/** The fastest, in larger tiers all that this host runs; or the one that SARDONYX_VARIANT names: others may be of older sources. */
export const allVariants = possible.filter((variant) =>
  wanted ? variant === wanted : isAtLeast('ci') || variant === possible.at(-1),
);
/** For suites that try the same cases on each: without the one of the tier before. */
export const variants = beyond ? allVariants.slice(0, -1) : allVariants;
if (allVariants.length === 0) throw new Error(`SARDONYX_VARIANT=${wanted}: this host runs ${possible.join(', ')}`);

const modules = Object.fromEntries(
  await Promise.all(allVariants.map(async (variant) => [variant, await loadKernels(variant)])),
) as Record<Variant, WebAssembly.Module>;

addFiles(quantized.files);
const more = Object.fromEntries(
  await Promise.all(allVariants.map(async (variant) => [variant, await load(kernelFile(variant, 'quantized'))])),
) as Record<Variant, WebAssembly.Module>;

/** The kernels are AssemblyScript: its own loader makes the instances. */
const link: Link = (module, imports) => instantiateSync(module, imports as Imports).instance.exports;

/** With every kernel that there is. */
export function freshEngine(variant: Variant): Engine {
  const engine = createEngine(modules[variant], 1, undefined, link);
  engine.extend(more[variant], quantized);
  return engine;
}

/** Variants, each without and with relaxed dot products of four, where these are fast and exact. */
export const dotForms = allVariants.flatMap((variant) => {
  const hasQuads = integerDots(freshEngine(variant)) !== IntegerDots.Pairs;
  return (hasQuads ? [0, 1] : [0]).map((quads) => ({ variant, quads }));
});

/** Seeded uniform values in [-1, 1): the mulberry32 generator. */
export function randomFloats(count: number, seed: number): Float32Array {
  let state = seed >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2147483648 - 1;
  });
}

const GUARD = 256;
/** Floats of these bytes are NaN, so that a read beside a buffer shows in the result. */
const GUARD_BYTE = 0xff;

/** A buffer in linear memory with guard zones on both sides. */
export function placeGuarded(engine: Engine, data: ArrayBufferView): number {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  const start = engine.allocate(bytes.length + 2 * GUARD);
  engine.u8.fill(GUARD_BYTE, start, start + bytes.length + 2 * GUARD);
  engine.u8.set(bytes, start + GUARD);
  return start + GUARD;
}

export function guardsIntact(engine: Engine, address: number, bytes: number): boolean {
  const before = engine.u8.subarray(address - GUARD, address);
  const after = engine.u8.subarray(address + bytes, address + bytes + GUARD);
  return before.every((b) => b === GUARD_BYTE) && after.every((b) => b === GUARD_BYTE);
}

/** Runs the kernel once whole and once in uneven splits, tiles last to first; both must give the same bytes at `output`. */
export function runInSplits<K extends KernelName>(
  engine: Engine,
  kernel: K,
  params: KernelParams[K],
  tiles: number,
  output: { address: number; bytes: number },
): void {
  const read = () => engine.u8.slice(output.address, output.address + output.bytes);
  engine.launch(kernel, params, tiles);
  const whole = read();
  engine.u8.fill(0x77, output.address, output.address + output.bytes);
  const cuts = [...new Set([0, 1, 2, Math.floor(tiles / 3), Math.floor(tiles / 2) + 1, tiles])].filter(
    (c) => c <= tiles,
  );
  cuts.sort((a, b) => a - b);
  for (let i = cuts.length - 2; i >= 0; i--) engine.launch(kernel, params, cuts[i + 1] as number, cuts[i]);
  const split = read();
  if (Buffer.compare(whole, split) === 0) return;
  const at = whole.findIndex((byte, i) => byte !== split[i]);
  throw new Error(`${kernel}: byte ${at} depends on how the ${tiles} tiles are split`);
}

/** ‖actual − expected‖ ÷ ‖expected‖. */
export function relativeL2(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < expected.length; i++) {
    difference += ((actual[i] as number) - (expected[i] as number)) ** 2;
    norm += (expected[i] as number) ** 2;
  }
  return Math.sqrt(difference / Math.max(norm, 1e-30));
}
