import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import type { Model } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';
import { readModel } from '../../src/model/read-model.js';
import { isAtLeast } from '../tier.js';
import { installedPeers } from '../transformers/peers.js';
import { f32 } from '../values.js';
import { CommandLine } from './command-line.js';

import { loopModel, verboseModel } from './models.js';

/** They run in processes of their own. */
const peers = isAtLeast('ci') ? installedPeers() : null;
const test = suite<{ cli: CommandLine }>('sardonyx optimize');

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('verbose.onnx'), verboseModel(17));
  writeFileSync(cli.path('old.onnx'), verboseModel(13));
  writeFileSync(cli.path('loop.onnx'), loopModel());
  writeFileSync(cli.path('calls.onnx'), callingModel());
  writeFileSync(cli.path('network.onnx'), networkModel());
  mkdirSync(cli.path('node_modules'));
  for (const name of peers ? ['onnxruntime-node', 'onnxruntime-common'] : [])
    symlinkSync(join(peers as string, name), cli.path('node_modules', name));
});

test.after(({ cli }) => cli.remove());

/** A function of the model's own, called twice. */
function callingModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  b.function({ domain: 'own', name: 'Tripled', inputs: ['x'] }, (f, [x]) => {
    f.output('y', f.op('Add', [f.op('Add', [x, x]), x]));
  });
  const x = b.input('x', 'float32', ['n']);
  b.output('y', b.op('Tripled', [b.op('Tripled', [x], {}, { domain: 'own' })], {}, { domain: 'own' }), 'float32', [
    'n',
  ]);
  return b.toBytes();
}

/** Convolution, pooling and a product, which sessions run in operators of their own; 1.2 kB of weights at one place. */
function networkModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const x = b.input('x', 'float32', ['n', 3, 8, 8]);
  const weights = (...dims: number[]) =>
    f32(
      dims,
      Float32Array.from({ length: dims.reduce((a, d) => a * d) }, (_, i) => Math.sin(i)),
    );
  const mapped = b.op('Relu', [b.op('Conv', [x, b.constant('kernel', weights(12, 3, 3, 3))])]);
  const pooled = b.op('Flatten', [b.op('GlobalAveragePool', [mapped])]);
  b.output('y', b.op('Gemm', [pooled, b.constant('matrix', weights(12, 5))]), 'float32', ['n', 5]);
  return b.toBytes();
}

const read = (cli: CommandLine, name: string): Model => readModel(readFileSync(cli.path(name)));
const operators = ({ graph }: Model): string[] => [...allNodes(graph)].map(({ op }) => op).sort();
const domains = ({ graph }: Model): string[] => [...new Set([...allNodes(graph)].map(({ domain }) => domain))];

/** The written file gives what the model gives. */
async function assertAgrees(cli: CommandLine, model: string, written: string, ...inputs: string[]): Promise<void> {
  await cli.succeed('compare', model, '--with', written, '--optimize', 'disabled', '--runs', '1', ...inputs);
}

/** Here and, where it is installed, in onnxruntime-node. */
async function assertAgreesEverywhere(cli: CommandLine, model: string, written: string, ...inputs: string[]) {
  await assertAgrees(cli, model, written, ...inputs);
  if (peers) await cli.succeed('compare', written, '--with', 'onnxruntime-node', '--runs', '1', ...inputs);
}

test('basic: constants are computed, identities and what nobody reads are gone, equal nodes are one', async ({
  cli,
}) => {
  mkdirSync(cli.path('out'));
  const { before, after, files } = await cli.json('optimize', 'verbose.onnx', '-o', 'out/basic.onnx');
  assert.equal(files, ['out/basic.onnx']);
  assert.ok(after.nodes < before.nodes);
  const written = read(cli, 'out/basic.onnx');
  for (const gone of ['Identity', 'Concat', 'Cos']) assert.not(operators(written).includes(gone), gone);
  assert.is(operators(written).filter((op) => op === 'Exp').length, 1);
  assert.equal([written.opsets.get(''), domains(written)], [17, ['']]);
  await assertAgreesEverywhere(cli, 'verbose.onnx', 'out/basic.onnx', '--dim', 'batch=3');
});

test('extended: parts become operators that the opset has, and no others', async ({ cli }) => {
  await cli.succeed('optimize', 'verbose.onnx', '-o', 'new.onnx', '--level', 'extended');
  await cli.succeed('optimize', 'old.onnx', '-o', 'older.onnx', '--level', 'extended');
  assert.ok(operators(read(cli, 'new.onnx')).includes('LayerNormalization'));
  assert.not(operators(read(cli, 'older.onnx')).includes('LayerNormalization'));
  await assertAgreesEverywhere(cli, 'verbose.onnx', 'new.onnx', '--dim', 'batch=3');
  await assertAgreesEverywhere(cli, 'old.onnx', 'older.onnx', '--dim', 'batch=3');
});

test('what sessions run in operators of their own is written in those of the model', async ({ cli }) => {
  for (const level of ['basic', 'extended']) {
    await cli.succeed('optimize', 'network.onnx', '-o', `${level}.onnx`, '--level', level);
    assert.equal(operators(read(cli, `${level}.onnx`)), operators(read(cli, 'network.onnx')));
    await assertAgreesEverywhere(cli, 'network.onnx', `${level}.onnx`, '--dim', 'n=2');
  }
});

test('functions are put in place, subgraphs stay', async ({ cli }) => {
  for (const [name, dim] of [
    ['calls', 'n=4'],
    ['loop', 'n=4'],
  ] as const) {
    await cli.succeed('optimize', `${name}.onnx`, '-o', `${name}-2.onnx`);
    await assertAgreesEverywhere(cli, `${name}.onnx`, `${name}-2.onnx`, '--dim', dim);
  }
  const calls = read(cli, 'calls-2.onnx');
  assert.equal([calls.functions.length, domains(calls)], [0, ['']]);
  assert.ok(operators(read(cli, 'loop-2.onnx')).includes('Loop'));
});

test('--dim fixes sizes for good', async ({ cli }) => {
  await cli.succeed('optimize', 'verbose.onnx', '-o', 'fixed.onnx', '--dim', 'batch=5');
  const { graph } = read(cli, 'fixed.onnx');
  assert.equal(graph.inputs[0]?.type, { kind: 'tensor', element: 'float32', dims: [5, 4] });
  await assertAgrees(cli, 'verbose.onnx', 'fixed.onnx', '--shape', '5x4');
  assert.match(
    (await cli.run('optimize', 'verbose.onnx', '-o', 'f.onnx', '--dim', 'b=5')).stderr,
    /--dim b=5: no input has/,
  );
});

test('--external-data puts weights beside the model, which may be replaced by what is made of it', async ({ cli }) => {
  mkdirSync(cli.path('split'));
  await cli.succeed('optimize', 'network.onnx', '-o', 'split/m.onnx', '--external-data');
  assert.equal(readdirSync(cli.path('split')).sort(), ['m.onnx', 'm.onnx.data']);
  assert.is(statSync(cli.path('split', 'm.onnx.data')).size, 12 * 3 * 3 * 3 * 4);
  await assertAgrees(cli, 'network.onnx', 'split/m.onnx', '--dim', 'n=2');
  await cli.succeed('optimize', 'split/m.onnx', '-o', 'split/m.onnx', '--external-data');
  await assertAgrees(cli, 'network.onnx', 'split/m.onnx', '--dim', 'n=2');
});

test('a model comes and goes through pipes', async ({ cli }) => {
  const { status, stdout, stderr } = await cli.bytes(
    readFileSync(cli.path('verbose.onnx')),
    'optimize',
    '-',
    '-o',
    '-',
  );
  assert.is(status, 0);
  assert.match(stderr, /\d+ nodes → \d+/);
  writeFileSync(cli.path('piped.onnx'), stdout);
  await assertAgrees(cli, 'verbose.onnx', 'piped.onnx', '--dim', 'batch=2');
});

test('prints the changes, and throws for impossible requests', async ({ cli }) => {
  const text = await cli.succeed('optimize', 'verbose.onnx', '-o', 'said.onnx');
  for (const line of [
    /^operator +before +after$/m,
    /^Identity +1 +0$/m,
    /^\d+ nodes → \d+, weights [\d.]+ k?B → [\d.]+ k?B$/m,
  ])
    assert.match(text, line);
  assert.is((await cli.run('optimize', 'verbose.onnx')).status, 2);
  assert.match(
    (await cli.run('optimize', 'verbose.onnx', '-o', 'm.onnx', '--level', 'all')).stderr,
    /Allowed choices are basic, extended/,
  );
  assert.match(
    (await cli.run('optimize', 'verbose.onnx', '-o', 'x.onnx/m.onnx/..')).stderr,
    /^sardonyx: --output .*: cannot write/,
  );
  assert.match((await cli.run('optimize', 'verbose.onnx', '-o', '-', '--json')).stderr, /--output -: .*--json/);
});

test.run();
