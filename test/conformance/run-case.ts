import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Value } from '../../src/graph/graph.js';
import { allNodes } from '../../src/graph/walk.js';
import { readValue } from '../../src/model/read-values.js';
import type { HostValue } from '../../src/tensor/tensor-value.js';
import { DEFAULT_TOLERANCE, difference, type Tolerance, typeDifference } from './compare.js';
import { nameOf, openAt, STAGES, type Stage } from './stages.js';
import type { Case } from './suite.js';

/** ONNX's runner looks at the type and the shape of what these draw. */
const DRAWN = /^(Bernoulli|Multinomial|Random.*)$/;

/** Cases that expect the rounding errors of float32 where the result is 0. */
const TOLERANCES: Readonly<Record<string, Tolerance>> = {
  test_dft_inverse: { ...DEFAULT_TOLERANCE, absolute: 1e-6 },
};

/** Why the case fails; undefined if every data set of every stage gives the expected outputs. */
export async function failureOf(
  { name, folder, bytes, model }: Case,
  stages: readonly Stage[] = STAGES,
): Promise<string | undefined> {
  const { inputs, outputs } = model.graph;
  const isDrawn = [...allNodes(model.graph)].some(({ op }) => DRAWN.test(op));
  const compare = isDrawn ? typeDifference : difference;
  const tolerance = TOLERANCES[name];
  for (const at of stages) {
    const stage = nameOf(at);
    const session = await openAt(at, bytes).catch((error: Error) => error);
    if (session instanceof Error) return `${stage}: ${session.message}`;
    for (const set of readdirSync(folder).filter((name) => name.startsWith('test_data_set_'))) {
      const read = (kind: string, values: readonly Value[]) => readSet(join(folder, set), kind, values);
      try {
        const results = await session.run(read('input', inputs));
        for (const [output, expected] of Object.entries(read('output', outputs))) {
          const found = compare(results[output] as HostValue, expected, tolerance);
          if (found) return `${stage}: output "${output}" is ${found}`;
        }
      } catch (error) {
        return `${stage}: ${(error as Error).message}`;
      }
    }
    await session.release();
  }
  return undefined;
}

function readSet(folder: string, kind: string, values: readonly Value[]): Record<string, HostValue> {
  const read = values.map(({ name, type }, i): [string, HostValue][] => {
    const file = join(folder, `${kind}_${i}.pb`);
    return existsSync(file) ? [[name, readValue(readFileSync(file), type?.kind)]] : [];
  });
  return Object.fromEntries(read.flat());
}
