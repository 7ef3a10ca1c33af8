import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findOperator } from '../../src/schema/registry.js';
import { readSchemas, type Schema } from '../conformance/schemas.js';
import { shared } from '../shared-data.js';
import { byTier, sample } from '../tier.js';
import { subjectOf } from './wrong-use/subject.js';
import { type Trial, trialsOf } from './wrong-use/trial.js';
import { excessOf } from './wrong-use/verdict.js';
import { Watchdog } from './wrong-use/watchdog.js';

/**
 * Every operator, used wrongly in every way of wrong-use/mutations.ts: refused with an error that names the place, or
 * computed; never a crash, a hang, or memory beyond reason, and the next good run of the session gives what it gave before.
 */
const folder = shared('onnx-schemas');

/** Trials of each operator version: they take 3 ms each, and there are some 200 of a version. */
const PER_VERSION = byTier({ quick: 1, ci: 2, all: Number.POSITIVE_INFINITY });

const shapeOf = (list: Schema['attributes']) => list.map(({ name, type, required }) => `${name}:${type}:${required}`);
const differ = (a: readonly string[], b: readonly string[]) => String([...a].sort()) !== String([...b].sort());

/** The newest version, and the oldest where it has other attributes. */
function versionsOf(schemas: readonly Schema[]): Schema[] {
  const sorted = [...schemas].sort((a, b) => b.since - a.since);
  const [newest, oldest] = [sorted[0] as Schema, sorted.at(-1) as Schema];
  const known = [newest, oldest].filter(({ domain, op, since }) => findOperator(domain, op, since));
  return known.length === 2 && differ(shapeOf(newest.attributes), shapeOf(oldest.attributes))
    ? known
    : known.slice(0, 1);
}

const byName = new Map<string, Schema[]>();
for (const schema of readSchemas(folder)) {
  const name = schema.domain ? `${schema.domain}.${schema.op}` : schema.op;
  byName.set(name, [...(byName.get(name) ?? []), schema]);
}
const test = suite('wrong use of every operator');
const watchdog = new Watchdog();
const counts = new Map<string, { tried: number; refused: number }>();
// Gradient's attributes name values around it: test/ops/training has its wrong uses.
byName.delete('ai.onnx.preview.training.Gradient');
const versions = [...byName].map(([name, schemas]) => [name, versionsOf(schemas)] as const);

const nameOf = ({ name }: Trial): string => name;

async function problemsOf({ kind, name, run }: Trial): Promise<string[]> {
  watchdog.now(name);
  const { refusal, problem } = await run();
  const { tried, refused } = counts.get(kind) ?? { tried: 0, refused: 0 };
  counts.set(kind, { tried: tried + 1, refused: refused + Number(refusal !== undefined) });
  return problem ? [`${name}: ${problem}`] : [];
}

for (const [name, chosen] of versions) {
  if (chosen.length === 0) continue;
  test(name, async () => {
    const problems: string[] = [];
    for (const subject of chosen.map(subjectOf)) {
      const { trials, release } = trialsOf(subject);
      const excess = await excessOf(async () => {
        for (const trial of sample(trials, PER_VERSION, nameOf)) problems.push(...(await problemsOf(trial)));
      });
      await release();
      if (excess) problems.push(`${subject.name} ${excess}`);
    }
    assert.equal(problems, []);
  });
}

// Every operator is tried with an attribute that it does not have.
const { warn } = console;
test.before(() => {
  console.warn = () => {};
});
test.after(async () => {
  console.warn = warn;
  await watchdog.stop();
  const rows = [...counts].map(([kind, { tried, refused }]) => `${kind}: ${tried} (${refused} refused)`);
  console.log(`\n${versions.flatMap(([, chosen]) => chosen).length} operator versions; ${rows.join(', ')}`);
});
test.run();
