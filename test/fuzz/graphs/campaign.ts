import { choicesOf } from './choices.js';
import { generate } from './generate.js';
import { minimise } from './minimise.js';
import { MODES, partly } from './modes.js';
import { printed } from './print.js';
import { findingOnThreads } from './threads.js';
import { type Case, caseOf, type Finding, findingOf } from './trial.js';

export interface Campaign {
  graphs: number;
  nodes: number;
  /** Nodes by operator. */
  readonly operators: Map<string, number>;
  /** Findings, each as a program that shows it. */
  readonly found: string[];
}

export const campaign = (): Campaign => ({ graphs: 0, nodes: 0, operators: new Map(), found: [] });

/** Rewrites of which a random number is done, besides all and none. */
const SOME_REWRITES = 12;

/** Graphs of these seeds in every mode, and all together on three threads. `minimising`: milliseconds for each finding. */
export async function fuzz(seeds: readonly number[], totals: Campaign, minimising = 20_000): Promise<void> {
  const right: { seed: number; case: Case }[] = [];
  for (const seed of seeds) {
    const { program, feeds } = await generate(seed);
    const c = await caseOf(program, feeds);
    const modes = [...MODES, partly(choicesOf(seed).below(SOME_REWRITES))];
    const finding = await findingOf(c, modes);
    if (finding) totals.found.push(await report(c, finding, seed, minimising));
    else right.push({ seed, case: c });
    totals.graphs++;
    totals.nodes += program.nodes.length;
    for (const { op, domain } of program.nodes)
      if (domain !== 'local') totals.operators.set(op, (totals.operators.get(op) ?? 0) + 1);
  }
  const threaded = await findingOnThreads(right.map((each) => each.case));
  if (!threaded) return;
  const seed = right.find((each) => each.case === threaded.at)?.seed ?? (seeds[0] as number);
  totals.found.push(await report(threaded.at, threaded.finding, seed, minimising));
}

const report = async (c: Case, finding: Finding, seed: number, minimising: number) =>
  printed(await minimise(c, finding, minimising), seed);
