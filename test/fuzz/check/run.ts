// Checks damaged models by the thousand. usage: npm run fuzz:check -- [--count N] [--seed S] [--from TRIAL] [--full-every K]
import { parseArgs } from 'node:util';
import { loadGroups } from '../../../src/groups/load-groups.js';
import { freshSeed } from '../files/watch.js';
import { checkDamaged } from './trials.js';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    from: { type: 'string', default: '0' },
    'full-every': { type: 'string', default: '10' },
  },
});
const seed = Number(values.seed ?? freshSeed());
const from = Number(values.from);
const to = from + Number(values.count);

await loadGroups();
const started = process.cpuUsage();
const { counts, findings } = await checkDamaged({ seed, from, to, fullEvery: Number(values['full-every']) });
const { user, system } = process.cpuUsage(started);
for (const { trial, problem } of findings) console.log(`--seed ${seed} --from ${trial} --count 1: ${problem}`);
console.log(`${to - from} models, seed ${seed}, ${((user + system) / 1e6).toFixed(0)} s; ${findings.length} findings`);
for (const [word, count] of [...counts].sort(([, a], [, b]) => b - a)) console.log(`${count} ${word}`);
process.exitCode = findings.length > 0 ? 1 : 0;
