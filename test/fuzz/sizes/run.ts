import { Command } from '@commander-js/extra-typings';
import { type SizesReport, trySizes } from './campaign.js';

/** `npm run fuzz:sizes`: random models at one size after another until the time is over. */
const { minutes, seed } = new Command('fuzz:sizes')
  .description('runs random models at one size after another, by plans that are moved and by plans of their own')
  .option('--minutes <n>', 'how long', Number, 10)
  .option('--seed <n>', 'first seed; graph i is of seed + i', Number, Date.now() % 1e9)
  .parse()
  .opts();

const end = Date.now() + minutes * 60_000;
const report: SizesReport = { runs: 0, moved: 0, wrong: [] };
let next = seed;
while (Date.now() < end) await trySizes(next++, report);
for (const found of report.wrong) console.log(found);
console.log(
  `${next - seed} graphs from seed ${seed}: ${report.runs} runs, ${report.moved} by moved plans, ${report.wrong.length} wrong`,
);
if (report.wrong.length > 0) process.exitCode = 1;
