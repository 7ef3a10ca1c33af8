import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession } from '../../src/session/inference-session.js';
import type { SessionOptions } from '../../src/session/options.js';
import { isAtLeast } from '../tier.js';
import { installedPeers } from '../transformers/peers.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';
import { twiceModel, writeNumpy } from './fixtures.js';
import { chainModel, listModel, verboseModel } from './models.js';

/** They run in processes of their own. */
const hasPeers = isAtLeast('ci');
const peers = hasPeers ? installedPeers() : null;
const test = suite<{ cli: CommandLine }>('sardonyx compare');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('chain.onnx'), chainModel());
  writeFileSync(cli.path('list.onnx'), listModel());
  writeFileSync(cli.path('verbose.onnx'), verboseModel(17));
  writeFileSync(cli.path('off.onnx'), offModel());
  writeNumpy(cli.path('x.npy'), f32([2, 2], [1, -2, 3, -4]));
  mkdirSync(cli.path('node_modules'));
  for (const name of peers ? ['onnxruntime-node', 'onnxruntime-common', 'onnxruntime-web'] : [])
    symlinkSync(join(peers as string, name), cli.path('node_modules', name));
});

test.after(({ cli }) => cli.remove());

/** As `chainModel`, but for one weight, which puts "inner/tripled:0" and what follows off. */
function offModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 2]);
  const [relu] = b.node('Relu', [x], {}, { outputs: ['relu'] });
  const [tripled] = b.node(
    'Mul',
    [relu, b.constant('three', f32([2, 1], [3, 4]))],
    {},
    { outputs: ['inner/tripled:0'] },
  );
  b.output('y', b.op('Add', [tripled, b.constant('one', f32([], [1]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

/** A package of onnxruntime's interface in the folder where the command runs. */
function fakePeer(cli: CommandLine, folder: string, run: string): string {
  const path = cli.path(folder, 'node_modules', 'onnxruntime-node');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{ "name": "onnxruntime-node", "version": "9.9.9", "main": "index.js" }');
  writeFileSync(
    join(path, 'index.js'),
    `class Tensor { constructor(type, data, dims) { Object.assign(this, { type, data, dims }); } }
     const session = { outputMetadata: [{ name: 'y', isTensor: true }], release: async () => {}, run: async (feeds) => { ${run} } };
     module.exports = { Tensor, env: {}, InferenceSession: { create: async () => session } };`,
  );
  writeFileSync(cli.path(folder, 'chain.onnx'), chainModel());
  return folder;
}

test('another level agrees, value by value', async ({ cli }) => {
  const args = ['compare', 'chain.onnx', '-i', 'x.npy', '--with', 'sardonyx:disabled', '--capture', 'all'];
  const text = await cli.succeed(...args);
  for (const line of [/^ok +inner +relu +float32\[2,2\] +0 +0$/m, /^ok +output +y +float32\[2,2\] +0 +0$/m])
    assert.match(text, line);
  assert.match(text, /^sardonyx, all +\S+ m?s/m);
  assert.match(text, /^sardonyx, disabled +\S+ m?s/m);
  assert.match(text, /\n3 values: all within tolerance\n$/);
  assert.is((await cli.json(...args)).failed, 0);
});

test('another file that differs fails: by how much, where, and what differs first', async ({ cli }) => {
  const args = ['compare', 'off.onnx', '-i', 'x.npy', '--with', 'chain.onnx', '--capture', 'all'];
  const { status, stdout } = await cli.run(...args);
  assert.is(status, 1);
  assert.match(stdout, /^ok +inner +relu/m);
  // Here 4 · 3 in place of 3 · 3; ‖(0, 0, 3, 0)‖ / ‖(3, 0, 9, 0)‖ = 3 / √90, and ‖(4, 1, 10, 1)‖ = √118.
  assert.match(stdout, /^FAIL +inner +inner\/tripled:0 +float32\[2,2\] +3\.0e\+0 +3\.2e-1 +\[1,0\]: 12, expected 9$/m);
  assert.match(stdout, /^FAIL +output +y +float32\[2,2\] +3\.0e\+0 +2\.8e-1 +\[1,0\]: 13, expected 10$/m);
  assert.match(stdout, /^3 values: 2 out of tolerance\nfirst in the graph: inner\/tripled:0, computed by Mul "/m);
  assert.is((await cli.run(...args, '--tolerance', '0.5')).status, 0);
  const { failed, values } = JSON.parse((await cli.run(...args, '--json')).stdout);
  assert.equal([failed, values[1].at], [2, { index: [1, 0], actual: 12, expected: 9 }]);
});

test('integers and booleans must be equal', async ({ cli }) => {
  writeFileSync(cli.path('never.onnx'), neverModel());
  const { status, stdout } = await cli.run('compare', 'twice.onnx', '-i', 'x.npy', '--with', 'never.onnx');
  assert.is(status, 1);
  assert.match(stdout, /^FAIL +output +positive +bool\[2,2\] +2 of 4 elements differ; \[0,0\]: 1, expected 0$/m);
});

/** As `chainModel`, with other names for the values inside. */
function renamedModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 2]);
  const tripled = b.op('Mul', [b.op('Relu', [x]), b.constant('three', f32([], [3]))]);
  b.output('y', b.op('Add', [tripled, b.constant('one', f32([], [1]))]), 'float32', ['n', 2]);
  return b.toBytes();
}

/** The sessions that a command creates: how many values they capture, and how often they run. */
async function sessionsOf(work: () => Promise<unknown>) {
  const sessions: { captured: number; runs: number; level: string | undefined }[] = [];
  const { create } = InferenceSession;
  InferenceSession.create = (async (source: string, options?: SessionOptions) => {
    const session = await create.call(InferenceSession, source, options);
    const level = options?.graphOptimizationLevel;
    const facts = { captured: options?.extraOutputs?.length ?? 0, runs: 0, level };
    sessions.push(facts);
    const run = session.run.bind(session);
    session.run = ((...feeds: Parameters<typeof run>) => {
      facts.runs++;
      return run(...feeds);
    }) as typeof session.run;
    return session;
  }) as typeof create;
  try {
    await work();
  } finally {
    InferenceSession.create = create;
  }
  return sessions;
}

test('both models are timed alike: with the same options, and without captures', async ({ cli }) => {
  writeFileSync(cli.path('renamed.onnx'), renamedModel());
  const args = ['compare', 'chain.onnx', 'renamed.onnx', '-i', 'x.npy', '--runs', '4', '--optimize', 'basic'];
  const sessions = await sessionsOf(() => cli.succeed(...args));
  assert.equal(sessions, [
    { captured: 2, runs: 1, level: 'basic' },
    { captured: 0, runs: 1, level: 'basic' },
    { captured: 0, runs: 5, level: 'basic' },
    { captured: 0, runs: 5, level: 'basic' },
  ]);
});

test('models with different inputs or outputs: which lacks which', async ({ cli }) => {
  const model = (input: string, outputs: readonly string[], type: 'float32' | 'int32' = 'float32') => {
    const b = modelBuilder({ opset: 21 });
    const x = b.input(input, type, ['n', 2]);
    for (const name of outputs) b.output(name, b.op('Add', [x, x]), type, ['n', 2]);
    return b.toBytes();
  };
  writeFileSync(cli.path('one.onnx'), model('x', ['y', 'z']));
  writeFileSync(cli.path('pixels.onnx'), model('pixels', ['y', 'z']));
  writeFileSync(cli.path('fewer.onnx'), model('x', ['y']));
  writeFileSync(cli.path('other.onnx'), model('x', ['u']));
  writeFileSync(cli.path('integers.onnx'), model('x', ['y', 'z'], 'int32'));
  const compared = (other: string) => cli.run('compare', 'one.onnx', other, '--runs', '1');
  const inputs = await compared('pixels.onnx');
  assert.is(
    inputs.stderr,
    'sardonyx: the models cannot be compared: one.onnx lacks the input "pixels" of pixels.onnx; pixels.onnx lacks the input "x" of one.onnx\n',
  );
  assert.equal([inputs.status, inputs.stdout], [1, '']);
  const fewer = await compared('fewer.onnx');
  assert.is(fewer.status, 0);
  assert.match(fewer.stderr, /^note: fewer\.onnx lacks the output "z" of one\.onnx$/m);
  assert.match(fewer.stdout, /^ +output +z +float32\[1,2\] +not returned by fewer\.onnx$/m);
  assert.match(
    (await compared('other.onnx')).stderr,
    /one\.onnx lacks the output "u" of other\.onnx; other\.onnx lacks/,
  );
  assert.match(
    (await compared('integers.onnx')).stderr,
    /input "x" is float32\[n,2\] in one\.onnx and int32\[n,2\] in integers\.onnx/,
  );
});

/** twice = 2x, and "positive" never. */
function neverModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 2]);
  b.output('twice', b.op('Add', [x, x]), 'float32', ['n', 2]);
  b.output('positive', b.op('Less', [x, x]), 'bool', ['n', 2]);
  return b.toBytes();
}

if (hasPeers) {
  test('the peer is that of the folder where the command runs, with the same feeds', async ({ cli }) => {
    const folder = fakePeer(
      cli,
      'right',
      'const { x } = feeds; return { y: new Tensor("float32", x.data.map((v) => 3 * Math.max(v, 0) + 1), x.dims) };',
    );
    const { status, stdout } = await cli.runIn(
      folder,
      'compare',
      'chain.onnx',
      '--dim',
      'n=3',
      '--with',
      'onnxruntime-node',
    );
    assert.is(status, 0);
    assert.match(stdout, /^ok +output +y +float32\[3,2\]/m);
    assert.match(stdout, /^onnxruntime-node 9\.9\.9 /m);
  });

  test('a peer that refuses or dies is an error, not the end of the command', async ({ cli }) => {
    const compare = (folder: string) => cli.runIn(folder, 'compare', 'chain.onnx', '--with', 'onnxruntime-node');
    const refused = await compare(fakePeer(cli, 'refusing', 'throw new Error("not today");'));
    assert.is(refused.status, 1);
    assert.match(refused.stderr, /^sardonyx: onnxruntime-node failed: not today\n$/m);
    const killed = await compare(
      fakePeer(
        cli,
        'dying',
        'process.kill(process.pid, "SIGSEGV"); await new Promise(() => setTimeout(() => {}, 1e5));',
      ),
    );
    assert.is(killed.status, 1);
    assert.match(killed.stderr, /^sardonyx: onnxruntime-node crashed: SIGSEGV\n$/m);
  });
}

if (peers) {
  for (const name of ['onnxruntime-node', 'onnxruntime-web'])
    test(`agrees with ${name}, value by value`, async ({ cli }) => {
      const args = ['--with', name, '--runs', '1', '--dim', 'batch=3', '--capture', 'all'];
      const { failed, values, sides } = await cli.json('compare', 'verbose.onnx', ...args);
      assert.is(failed, 0);
      assert.ok(values.length > 10 && values.every(({ passed }: { passed: boolean }) => passed));
      assert.match(sides[1].name, new RegExp(`^${name} \\d+\\.\\d+`));
    });

  test('a sequence is left out', async ({ cli }) => {
    assert.match(
      await cli.succeed('compare', 'list.onnx', '--with', 'onnxruntime-node'),
      /^ +output +list +not a tensor +not returned by onnxruntime/m,
    );
  });
}

test.run();
