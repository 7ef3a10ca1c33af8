import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { SardonyxError } from '../../src/errors.js';
import { externalFiles } from '../../src/model/external-data.js';
import { readModel } from '../../src/model/read-model.js';
import { WITNESS } from './witness.js';

const test = suite('damaged models');

const SEED = 20260101;
const VARIANTS = 3000;
const MAX_MS_PER_HUNDRED = 250;

/** https://en.wikipedia.org/wiki/Xorshift */
function xorshift(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

function loop(): Uint8Array {
  const b = modelBuilder({ opset: 21, opsets: { local: 1 } });
  const [trips, x] = [b.input('trips', 'int64', []), b.input('x', 'float32', ['n', 2])];
  b.function({ domain: 'local', name: 'Twice', inputs: ['a'] }, (f, [a]) => void f.output('b', f.op('Add', [a, a])));
  const w = b.sparseConstant('w', {
    values: tensor('float32', [1], [2]),
    indices: tensor('int64', [1, 2], [1, 1]),
    dims: [2, 2],
  });
  const body = b.subgraph('body', (g) => {
    g.input('i', 'int64', []);
    const condition = g.input('condition', 'bool', []);
    const carried = g.input('carried', 'float32', ['n', 2]);
    g.output('going', g.op('Identity', [condition]));
    g.output('next', g.op('Twice', [g.op('MatMul', [carried, w])], {}, { domain: 'local' }));
  });
  b.output('y', b.op('Loop', [trips, null, x], { body }), 'float32', ['n', 2]);
  return b.toBytes();
}

type Damage = (bytes: Uint8Array, random: (below: number) => number) => Uint8Array;

const DAMAGES: Record<string, Damage> = {
  truncated: (bytes, random) => bytes.slice(0, random(bytes.length)),
  'with a flipped bit': (bytes, random) => {
    const at = random(bytes.length);
    bytes[at] = (bytes[at] as number) ^ (1 << random(8));
    return bytes;
  },
  'with some random bytes': (bytes, random) => {
    for (let n = random(8) + 1; n > 0; n--) bytes[random(bytes.length)] = random(256);
    return bytes;
  },
  'with a piece repeated': (bytes, random) => {
    const from = random(bytes.length);
    const to = from + random(64);
    return Uint8Array.of(...bytes.subarray(0, to), ...bytes.subarray(from));
  },
  'of random bytes': (bytes, random) => bytes.map(() => random(256)),
};

const externalData = externalFiles(new Map());

for (const [model, original] of Object.entries({ witness: WITNESS, loop: loop() }))
  for (const [damage, apply] of Object.entries(DAMAGES))
    test(`${model} ${damage}: only ever a SardonyxError, and soon (seed ${SEED})`, () => {
      const random = xorshift(SEED);
      const start = performance.now();
      for (let i = 0; i < VARIANTS; i++) {
        const bytes = apply(original.slice(), random);
        try {
          readModel(bytes, { externalData });
        } catch (error) {
          if (!(error instanceof SardonyxError)) throw new Error(`variant ${i}`, { cause: error });
          assert.ok(['INVALID_MODEL', 'EXTERNAL_DATA'].includes(error.code), `variant ${i}: ${error.code}`);
        }
      }
      const elapsed = performance.now() - start;
      assert.ok(elapsed < (VARIANTS / 100) * MAX_MS_PER_HUNDRED, `${elapsed} ms`);
    });

test.run();
