import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkModel } from '../../../src/tools/check/index.js';
import { isAtLeast } from '../../tier.js';
import { backendModels, networks, readProto } from './models.js';

const test = suite('the checker: no false alarms');

const POOLS = { "ONNX's backend models": backendModels(), 'whole networks': networks() };

// Everything that is checked is checked in full, too.
for (const [name, paths] of Object.entries(POOLS))
  for (const full of isAtLeast('all') ? [false, true] : [true])
    test(`${name}${full ? ', types and shapes inferred' : ''}`, async () => {
      assert.ok(paths.length >= 4);
      for (const path of paths) assert.equal(await checkModel(readProto(path), { full }), [], path);
    });

test.run();
