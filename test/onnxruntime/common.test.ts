import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder } from '../../src/builder/index.js';
import { backend } from '../../src/onnxruntime/index.js';
import { installedPeers } from '../transformers/peers.js';

const common = suite('onnxruntime-common');
const peers = installedPeers();

function scaled(): Uint8Array {
  const b = modelBuilder({ opset: 17 });
  const x = b.input('x', 'float32', ['n']);
  b.output('y', b.op('Add', [x, x]), 'float32', ['n']);
  b.output('i', b.op('Cast', [x], { to: 7 }), 'int64', ['n']);
  b.output('h', b.op('Cast', [x], { to: 10 }), 'float16', ['n']);
  return b.toBytes();
}

if (peers) {
  const load = () => import(join(peers, 'onnxruntime-common/dist/esm/index.js'));

  common('takes Sardonyx as a backend', async () => {
    const { InferenceSession, registerBackend, Tensor } = await load();
    registerBackend('wasm', backend, 10);
    registerBackend('cpu', backend, 10);
    const session = await InferenceSession.create(scaled(), { executionProviders: ['wasm'] });
    assert.equal(session.inputNames, ['x']);
    assert.equal(session.outputMetadata[1], { name: 'i', isTensor: true, type: 'int64', shape: ['n'] });
    const feeds = { x: new Tensor('float32', [1, 2.5], [2]) };
    const { y, i, h } = await session.run(feeds);
    for (const tensor of [y, i, h]) assert.instance(tensor, Tensor);
    assert.equal(y.data, Float32Array.of(2, 5));
    assert.equal(i.data, BigInt64Array.of(1n, 2n));
    assert.equal(new Uint16Array(h.data.buffer, h.data.byteOffset, 2), Uint16Array.of(0x3c00, 0x4100));
    const place = new Tensor('float32', new Float32Array(2), [2]);
    const results = await session.run(feeds, { y: place });
    assert.is(results.y, place);
    assert.equal(place.data, Float32Array.of(2, 5));
    assert.equal(Object.keys(results), ['y']);
    session.startProfiling();
    await session.run(feeds, ['i'], { tag: 'profiled' });
    session.endProfiling();
    await session.release();
  });
}

common.run();
