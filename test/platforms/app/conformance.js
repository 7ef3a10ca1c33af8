/** What the suite comes to; times and the host aside, that is alike everywhere. */
export async function outcome({ conformanceCases, runConformance }, sardonyx, source) {
  sardonyx.env.wasm.numThreads = 1;
  const { host, totals, milliseconds, cases } = await runConformance(await conformanceCases(source), sardonyx);
  const others = cases
    .filter(({ outcome }) => outcome !== 'passed')
    .map(({ name, outcome, problems: [problem] }) => `${name} ${outcome}: ${problem.message}`);
  return { host, totals, milliseconds, others };
}
