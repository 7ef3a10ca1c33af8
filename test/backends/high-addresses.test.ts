import { readdirSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createEngine, type Engine } from '../../bindings/engine.js';
import { quantized } from '../../bindings/quantized.js';
import { addFiles } from '../../bindings/wasm-files.js';
import { GraphRunner } from '../../src/backends/wasm/execute/graph-runner.js';
import { kernelModule } from '../../src/backends/wasm/kernels.js';
import { Arena } from '../../src/backends/wasm/plan/arena.js';
import { Weights } from '../../src/backends/wasm/plan/weights.js';
import { modelBuilder } from '../../src/builder/index.js';
import type { Value } from '../../src/graph/graph.js';
import { constantsOf } from '../../src/graph/walk.js';
import { readModel } from '../../src/model/read-model.js';
import { prepare } from '../../src/optimize/prepare.js';
import { bytesOf } from '../../src/tensor/stored-tensor.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { read, type StoredCase, type StoredCases } from '../contrib/stored.js';
import { seedOf } from '../fuzz/files/random.js';
import { CASES, type Case } from '../primitives/cases.js';
import { randomOf } from '../primitives/draw.js';
import { namedIn } from '../primitives/host.js';
import { sampled } from '../tier.js';

const MEBIBYTE = 2 ** 20;
/** Where regions end at most. */
const END = 65535 * 65536;
/** For weights and programs. */
const ROOM = 32 * MEBIBYTE;

/** Memory whose regions lie from `start` on, and what gives back all that has been taken since. */
async function engineFrom(start: number) {
  addFiles(quantized.files);
  const engine = createEngine(await kernelModule());
  engine.extend(await kernelModule(false, 'quantized'), quantized);
  if (start > 0) engine.allocate(start - engine.regions.end);
  const { allocate } = engine;
  const taken = new Set<number>();
  const free = engine.free;
  Object.assign(engine, {
    allocate(bytes: number) {
      const address = allocate(bytes);
      taken.add(address);
      return address;
    },
    free(address: number) {
      taken.delete(address);
      free(address);
    },
  });
  const clear = () => {
    for (const address of taken) engine.free(address);
  };
  return { engine, clear };
}

interface Trial {
  readonly bytes: Uint8Array;
  readonly feeds: Readonly<Record<string, TensorValue>>;
  /** The part of the results that means something. */
  readonly meant: (results: readonly TensorValue[]) => readonly TensorValue[];
}

const whole: Trial['meant'] = (results) => results;

/** One node, whose inputs behind the first are constants or fed. */
function trialOf(op: string, own: Case, areConstant: boolean): Trial {
  const { inputs, attributes, outputs = 1, constants = [], meant = whole } = own;
  const b = modelBuilder({ opset: 27, opsets: { sardonyx: 1 } });
  const feeds: Record<string, TensorValue> = {};
  const values = inputs.map((x, i): Value | null => {
    if (!x) return null;
    if (constants.includes(i) || (areConstant && i > 0)) return b.constant(`x${i}`, x);
    feeds[`x${i}`] = x;
    return b.input(`x${i}`, x.type, x.dims);
  });
  const { domain, name } = namedIn(op);
  const names = Array.from({ length: outputs }, (_, i) => `y${i}`);
  b.node(name, values, attributes, { domain, outputs: names }).forEach((value, i) => {
    b.output(`y${i}`, value as Value);
  });
  return { bytes: b.toBytes(), feeds, meant };
}

/** The first case of each file that onnxruntime has answered. */
const EXPECTED = new URL('../contrib/expected/', import.meta.url);
function storedTrial(file: string): Trial {
  const { cases } = JSON.parse(readFileSync(new URL(file, EXPECTED), 'utf8')) as StoredCases;
  const { model, feeds } = cases[0] as StoredCase;
  return { bytes: Buffer.from(model, 'base64'), feeds: read(feeds), meant: whole };
}

/** The bytes of the outputs, and how many the arena has. */
async function run(engine: Engine, { bytes, feeds, meant }: Trial, reserve: (arena: Arena) => void) {
  const { graph } = await prepare(readModel(bytes), { graphOptimizationLevel: 'disabled' });
  const arena = new Arena(engine);
  reserve(arena);
  const weights = new Weights(engine, constantsOf(graph));
  const tracing = { functions: {}, isWanted: false };
  const runner = new GraphRunner({ engine, arena, weights, guardBytes: 0, guards: null, tracing, timing: {} }, graph);
  runner.begin(graph.inputs.map(({ name }) => feeds[name]));
  assert.ok(runner.advance(null));
  const results = meant(runner.takeOutputs() as TensorValue[]);
  const outputs = results.map((value) => (value.type === 'string' ? value.data : bytesOf(value).slice()));
  return { outputs, arenaBytes: Math.max(...runner.lastStages.map((stage) => stage.arenaBytes)) };
}

/** An arena that ends where `end` is, whatever else there is to be lying before it. */
function arenaBefore(engine: Engine, end: number, bytes: number, arena: Arena): void {
  if (bytes === 0) return;
  const last = engine.regions.end;
  const before = engine.allocate(end - bytes - last);
  arena.reserve(bytes, false, () => undefined);
  engine.free(before);
  assert.is(arena.base + arena.capacity, end);
}

const low = await engineFrom(0);

/** Where weights and programs begin, and where an arena of so many bytes ends. */
const PLACES: Readonly<Record<string, readonly [start: number, endOf: (bytes: number) => number]>> = {
  'on both sides of 2 GiB': [2 ** 31 - ROOM, (bytes) => 2 ** 31 + 64 * Math.ceil(bytes / 128)],
  'above 2 GiB': [2 ** 31, () => 2 ** 31 + ROOM],
  'on both sides of 3 GiB': [3 * 2 ** 30 - ROOM, (bytes) => 3 * 2 ** 30 + 64 * Math.ceil(bytes / 128)],
  'up to the last page': [END - ROOM, () => END],
};

for (const [where, [start, endOf]] of Object.entries(PLACES)) {
  const test = sampled(suite(`kernels on memory ${where}`), { quick: 1 / 4, ci: 1 / 2 });
  const high = await engineFrom(start);
  const check = async (trial: Trial, what: string) => {
    try {
      const expected = await run(low.engine, trial, () => {});
      const bytes = Math.ceil(expected.arenaBytes / 64) * 64;
      const { outputs } = await run(high.engine, trial, (arena) =>
        arenaBefore(high.engine, endOf(bytes), bytes, arena),
      );
      assert.equal(outputs, expected.outputs, what);
    } finally {
      low.clear();
      high.clear();
    }
  };
  for (const [op, kinds] of Object.entries(CASES))
    test(op, async () => {
      for (const draw of kinds)
        for (const areConstant of [false, true])
          await check(trialOf(op, draw(randomOf(seedOf(1, op.length))), areConstant), `${draw.name} ${areConstant}`);
    });
  for (const file of readdirSync(EXPECTED)) test(file, () => check(storedTrial(file), file));
  test.run();
}
