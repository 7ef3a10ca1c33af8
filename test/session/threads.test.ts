import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { env, InferenceSession } from '../../src/index.js';
import { readModel } from '../../src/model/read-model.js';
import { readValue } from '../../src/model/read-values.js';
import type { TensorValue } from '../../src/tensor/tensor-value.js';
import { randomFloats } from '../assembly/kernels.js';
import { expectRejection } from '../expect-error.js';
import { shared, sharedModels } from '../shared-data.js';
import { byTier } from '../tier.js';

const threads = suite('kernel threads');

/** Convolutions, a softmax over channels, sums and products: steps of many tiles, and of one. */
function network(): Uint8Array {
  const b = modelBuilder({ opset: 20 });
  const weights = (name: string, ...dims: number[]) =>
    b.constant(name, {
      type: 'float32',
      dims,
      data: randomFloats(
        dims.reduce((p, d) => p * d, 1),
        dims.length,
      ),
    });
  let x = b.input('x', 'float32', [1, 16, 48, 48]);
  for (let i = 0; i < 4; i++) {
    const y = b.op('Conv', [x, weights(`w${i}`, 16, 16, 3, 3)], { pads: [1, 1, 1, 1] });
    x = b.op('Add', [b.op('Softmax', [y], { axis: 1 }), b.op('Relu', [x])]);
  }
  const rows = b.op('Flatten', [b.op('GlobalAveragePool', [x])]);
  b.output('y', b.op('MatMul', [rows, weights('m', 16, 1000)]));
  b.output('z', b.op('ReduceMax', [x], { keepdims: 0 }));
  return b.toBytes();
}

const feeds = { x: { type: 'float32', dims: [1, 16, 48, 48], data: randomFloats(16 * 48 * 48, 7) } } as const;

const sessionOf = (intraOpNumThreads: number, model = network()) =>
  InferenceSession.create(model, { intraOpNumThreads });

threads('1, 2, 3 and 8 threads give the same bits, run after run', async () => {
  const alone = await sessionOf(1);
  const expected = await alone.run(feeds);
  for (const count of [2, 3, 8]) {
    const session = await sessionOf(count);
    for (let run = 0; run < 10; run++) assert.equal(await session.run(feeds), expected, `${count} threads`);
    assert.is(session.threads, count);
    await session.release();
  }
  await alone.release();
});

threads('the first run waits for no thread, the second for all', async () => {
  const [session, alone] = [await sessionOf(4), await sessionOf(1)];
  assert.equal(await session.run(feeds), await alone.run(feeds));
  await session.run(feeds);
  assert.is(session.threads, 4);
  await session.release();
  await alone.release();
});

threads('profiling and guard zones work with threads, too', async () => {
  const session = await InferenceSession.create(network(), {
    ...{ intraOpNumThreads: 2, guardBytes: 128, enableProfiling: true },
  });
  await session.run(feeds);
  assert.ok(session.profile.length > 0);
  await session.release();
});

/** Runs `work` with another script for kernel threads; what is warned of meanwhile, which `work` may watch. */
async function warningsWith(script: string, work: (found: readonly string[]) => Promise<void>): Promise<string[]> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (message: string) => warnings.push(message);
  env.wasm.workerUrl = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  try {
    await work(warnings);
  } finally {
    console.warn = warn;
    delete env.wasm.workerUrl;
  }
  return warnings;
}

const DEATHS = {
  'cannot start': 'throw new Error("the script is missing")',
  'dies at once': 'process.exit(3)',
  'dies later': "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(4))",
};

for (const [death, script] of Object.entries(DEATHS)) {
  threads(`a thread that ${death} is reported once, and the others go on`, async () => {
    const alone = await sessionOf(1);
    const expected = await alone.run(feeds);
    const warnings = await warningsWith(script, async () => {
      const session = await InferenceSession.create(network(), { intraOpNumThreads: 3 });
      for (let run = 0; run < 20; run++) assert.equal(await session.run(feeds), expected);
      assert.is(session.threads, 1);
      await session.release();
    });
    assert.is(warnings.length, 1, warnings.join());
    await alone.release();
  });
}

/** A kernel thread that joins, takes one tile of the first run it meets (words of `assembly/team.ts`), and dies. */
const diesWithATile = (code: number) => `
const [GATE, NEXT, OPEN, HOME] = [64 / 4, 128 / 4, 1 << 16, -1];
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const { exports } = new Instance(module, imports);
  const serveTeam = (team) => {
    const words = new Int32Array(imports.env.memory.buffer, team);
    while (Atomics.load(words, 0) !== HOME) {
      const gate = Atomics.load(words, GATE);
      if (!(gate & OPEN) || Atomics.compareExchange(words, GATE, gate, gate + 1) !== gate) continue;
      const next = Atomics.load(words, NEXT);
      if (Atomics.compareExchange(words, NEXT, next, next + 1) === next) process.exit(${code});
      Atomics.sub(words, GATE, 1);
    }
  };
  return { exports: { ...exports, serveTeam } };
};
await import('${new URL('../../build/kernel-worker.js', import.meta.url)}');`;

let code = 5;
for (const options of [{}, { enableProfiling: true }, { guardBytes: 64 }]) {
  for (const signal of [undefined, new AbortController().signal]) {
    const script = diesWithATile(code++);
    const how = `${JSON.stringify(options)}${signal ? ' and a signal' : ''}`;
    threads(`a thread that dies in the middle of a run does not spoil it, with ${how}`, async () => {
      const alone = await sessionOf(1);
      const expected = await alone.run(feeds);
      const warnings = await warningsWith(script, async (found) => {
        const session = await InferenceSession.create(network(), { intraOpNumThreads: 2, ...options });
        const end = performance.now() + 20_000;
        while (found.length === 0 && performance.now() < end) {
          const runs = Array.from({ length: 3 }, () => session.run(feeds, signal ? { signal } : {}));
          for (const run of runs) assert.equal(await run, expected);
        }
        assert.is(session.threads, 1);
        assert.equal(await session.run(feeds), expected);
        await session.release();
      });
      assert.is(warnings.length, 1, warnings.join());
      await alone.release();
    });
  }
}

/** Creates two sessions for three threads where the script that starts them cannot be imported. */
const withoutTeam = `
import { register } from 'node:module';
const hook = "export const resolve = (path, context, next) => { if (path.endsWith('/team.js')) throw Error('gone'); return next(path, context); }";
register('data:text/javascript,' + encodeURIComponent(hook));
const { InferenceSession } = await import('${new URL('../../src/index.ts', import.meta.url)}');
const { modelBuilder } = await import('${new URL('../../src/builder/index.ts', import.meta.url)}');
const b = modelBuilder({ opset: 20 });
b.output('y', b.op('Exp', [b.input('x', 'float32', [2])]));
for (let i = 0; i < 2; i++) {
  const session = await InferenceSession.create(b.toBytes(), { intraOpNumThreads: 3 });
  const { y } = await session.run({ x: { type: 'float32', dims: [2], data: new Float32Array(2) } });
  console.log(session.threads, ...y.data);
  await session.release();
}`;

threads('one thread works, with a warning, where what starts the others cannot be loaded', () => {
  const flags = ['--import', 'tsx', '--input-type=module', '-e', withoutTeam];
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8' });
  assert.is(stdout, '1 1 1\n1 1 1\n', stderr);
  assert.is(stderr.match(/cannot start threads, using one: gone/g)?.length, 1, stderr);
});

threads('a number of threads that is none is refused', async () => {
  for (const intraOpNumThreads of [-1, 1.5, Number.NaN, 1000]) {
    const created = InferenceSession.create(network(), { intraOpNumThreads });
    await expectRejection('INVALID_ARGUMENT', /intraOpNumThreads/, created);
  }
});

const SMALL = ['mobilenet_v3_small', 'gpt_mini', 'lstm', 'gru', 'unet_small'];
const MODELS = byTier({ quick: SMALL, ci: SMALL, all: [...SMALL, 'squeezenet1_1', 'bert_mini', 'ssdlite320'] });
const models = shared('models');

for (const name of sharedModels(...MODELS)) {
  threads(`${name} gives the same bits on 3 threads as on one`, async () => {
    const folder = join(models, name);
    const bytes = readFileSync(join(folder, 'model.onnx'));
    const { inputs } = readModel(bytes).graph;
    const fed = inputs.filter(({ constant }) => !constant);
    const stored = fed.map(({ name }, i) => {
      return [name, readValue(readFileSync(join(folder, 'test_data_set_0', `input_${i}.pb`)))] as const;
    });
    const [alone, together] = [await sessionOf(1, bytes), await sessionOf(3, bytes)];
    const bits = async (session: InferenceSession) =>
      Object.entries(await session.run(Object.fromEntries(stored))).map(([name, value]) => {
        const { type, dims, data } = value as TensorValue;
        return [name, type, dims, data];
      });
    const expected = await bits(alone);
    for (let run = 0; run < 3; run++) assert.equal(await bits(together), expected);
    await alone.release();
    await together.release();
  });
}

threads.run();
