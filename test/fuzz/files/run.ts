import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { externalFolder } from './external-files.js';
import { KINDS, trialOf } from './trial.js';
import { causeOf, type Finding, freshSeed, minimized, tryAll } from './watch.js';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    count: { type: 'string' },
    seed: { type: 'string' },
    trial: { type: 'string' },
    only: { type: 'string' },
  },
});

const seed = Number(values.seed ?? freshSeed());
const only = KINDS.find((kind) => kind === values.only);
if (values.only && !only) throw new Error(`--only is one of ${KINDS.join(', ')}`);
const from = Number(values.trial ?? 0);
const to = values.trial ? from + 1 : Number(values.count ?? Number.MAX_SAFE_INTEGER);
const isOpen = !values.trial && !values.count;
const until = isOpen ? Date.now() + Number(values.minutes) * 60_000 : undefined;
const folder = mkdtempSync(join(tmpdir(), 'sardonyx-findings-'));

await loadGroups();
console.log(`seed ${seed}${only ? `, only ${only}` : ''}`);
const known = new Map<string, Finding[]>();
const started = Date.now();
const tally = await tryAll({ seed, only, from, to, until }, (finding) => {
  const cause = causeOf(finding.problem);
  const same = known.get(cause);
  if (same) same.push(finding);
  else {
    known.set(cause, [finding]);
    console.log(`trial ${finding.trial}: ${finding.problem}`);
  }
});
const seconds = (Date.now() - started) / 1000;

for (const [cause, found] of [...known].sort(([, a], [, b]) => b.length - a.length)) {
  const { trial } = found[0] as Finding;
  console.log(`\n${found.length} times: ${cause}\n  ${await described(trial)}`);
}

console.log(
  `\n${tally.trials} trials in ${Math.round(seconds)} s, ${Math.round(tally.trials / seconds)} a second, ` +
    `${tally.processes} processes, at most ${tally.megabytes} MB; ${tally.findings.length} findings of ${known.size} causes`,
);
for (const [word, count] of [...tally.counts].sort(([, a], [, b]) => b - a)) console.log(`${count} ${word}`);
process.exitCode = tally.findings.length > 0 ? 1 : 0;

/** How to see a finding again, and where its bytes are; with the fewest damages where this trial was asked for. */
async function described(number: number): Promise<string> {
  const files = externalFolder();
  try {
    const trial = trialOf(seed, number, only, files);
    const all = trial.damages.map((_, i) => i);
    const kept = values.trial ? await minimized({ seed, only }, number, all.length) : all;
    const file = join(folder, `${seed}-${number}.onnx`);
    writeFileSync(file, trial.bytes(kept));
    const names = kept.map((i) => trial.damages[i]).join('; ');
    return `${trial.subject}: ${names}\n  --seed ${seed} --trial ${number}${only ? ` --only ${only}` : ''}; ${file}`;
  } finally {
    files.remove();
  }
}
