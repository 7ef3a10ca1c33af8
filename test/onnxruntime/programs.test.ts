import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { type Consumer, consumer } from '../installed-package.js';
import { installedPeers } from '../transformers/peers.js';

const programs = suite<{ consumer: Consumer }>('programs for onnxruntime-web');
const peers = installedPeers();
const folder = new URL('programs/', import.meta.url);

function product(): Uint8Array {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const [left, right] = [b.input('a', 'float32', [3, 4]), b.input('b', 'float32', [4, 3])];
  b.output('c', b.op('MatMul', [left, right]), 'float32', [3, 3]);
  return b.toBytes();
}

/** One operator for each of several types; `offset` need not be fed. */
function manyTypes(): Uint8Array {
  const b = modelBuilder({ opset: 17, irVersion: 8 });
  const floats = b.input('floats', 'float32', ['batch', 2]);
  const whole = b.input('whole', 'int64', ['n']);
  const flags = b.input('flags', 'bool', [2]);
  const words = b.input('words', 'string', ['words']);
  const small = b.input('small', 'uint8', [2]);
  const offset = b.input('offset', 'int64', [1], { default: tensor('int64', [1], [0n]) });
  b.output('positive', b.op('Relu', [floats]), 'float32', ['batch', 2]);
  b.output('doubled', b.op('Add', [b.op('Add', [whole, whole]), offset]), 'int64', ['n']);
  b.output('negated', b.op('Not', [flags]), 'bool', [2]);
  b.output('same', b.op('Identity', [words]), 'string', ['words']);
  b.output('small2', b.op('Cast', [b.op('Cast', [small], { to: 1 })], { to: 2 }), 'uint8', [2]);
  b.output('sizes', b.op('Shape', [floats]), 'int64', [2]);
  return b.toBytes();
}

programs.before((context) => {
  if (!peers) return;
  context.consumer = consumer();
  const { folder } = context.consumer;
  for (const name of ['onnxruntime-web', 'onnxruntime-common'])
    symlinkSync(join(peers, name), join(folder, 'node_modules', name));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'product.onnx'), product());
  writeFileSync(join(folder, 'many-types.onnx'), manyTypes());
});

programs.after((context) => context.consumer?.remove());

function outputOf({ folder }: Consumer, source: string): string {
  writeFileSync(join(folder, 'program.js'), source);
  return execFileSync(process.execPath, [join(folder, 'program.js'), folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

for (const name of peers ? readdirSync(folder) : []) {
  programs(`${name} prints the same once its import says sardonyx/onnxruntime`, (context) => {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const changed = source.replace("from 'onnxruntime-web'", "from 'sardonyx/onnxruntime'");
    assert.is.not(changed, source);
    assert.is(outputOf(context.consumer, changed), outputOf(context.consumer, source));
  });
}

programs.run();
