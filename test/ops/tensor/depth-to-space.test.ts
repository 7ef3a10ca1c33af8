import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import { runNode } from '../one-node.js';

const test = suite('blocks of nothing');

for (const mode of ['DCR', 'CRD'])
  test(`DepthToSpace of an empty map, ${mode}`, async () => {
    const inputs = [tensor('float32', [2, 4, 3, 0], [])];
    const [y] = await runNode('DepthToSpace', { inputs, attributes: { blocksize: 2, mode } });
    assert.equal(y, tensor('float32', [2, 1, 6, 0], []));
  });

test('SpaceToDepth of an empty map', async () => {
  const inputs = [tensor('float32', [2, 1, 0, 4], [])];
  const [y] = await runNode('SpaceToDepth', { inputs, attributes: { blocksize: 2 } });
  assert.equal(y, tensor('float32', [2, 4, 0, 2], []));
});

test.run();
