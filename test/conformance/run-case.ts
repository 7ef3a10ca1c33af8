import { readdirSync, readFileSync } from 'node:fs';
import { Tensor } from '../../src/tensor/tensor.js';
import { factsOf } from '../../src/tools/conformance/facts.js';
import { dataSetsAmong } from '../../src/tools/conformance/layout.js';
import { problemsOf } from '../../src/tools/conformance/problems.js';
import { toleranceOf } from '../../src/tools/conformance/tolerances.js';
import { nameOf, openAt, type Stage } from './stages.js';
import type { Case } from './suite.js';

/** Why the case fails; undefined if every data set of every stage gives the expected outputs. */
export async function failureOf({ name, folder, bytes }: Case, stages: readonly Stage[]): Promise<string | undefined> {
  const terms = { facts: factsOf(bytes), runtime: { Tensor }, tolerance: toleranceOf(name) };
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const dataSets = dataSetsAmong(paths.map((path) => [path, () => readFileSync(`${folder}/${path}`)]));
  for (const at of stages) {
    const stage = nameOf(at);
    try {
      const session = await openAt(at, bytes);
      const [problem] = await problemsOf(dataSets, session, terms);
      if (problem) return `${stage}: output "${problem.output}": ${problem.message}`;
      await session.release();
    } catch (error) {
      return `${stage}: ${(error as Error).message}`;
    }
  }
  return undefined;
}
