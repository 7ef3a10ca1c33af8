import { runSuites, type Suite } from './run-suites.js';

// Runs one suite after another, as the process that started this one says; see lanes.ts.
process.on('message', async (suite: Suite | 'end') => {
  if (suite === 'end') process.exit(0);
  await runSuites([suite]);
  process.send?.('ended');
});
process.send?.('ready');
