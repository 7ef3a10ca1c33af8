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

/** A graph of which some mode makes something else. */
export interface Found {
  readonly seed: number;
  readonly case: Case;
  readonly finding: Finding;
}

/** Runs graphs of these seeds in every mode, and all together on three threads. */
export async function* findings(seeds: readonly number[], totals: Campaign): AsyncGenerator<Found> {
  const right: { seed: number; case: Case }[] = [];
  for (const seed of seeds) {
    const { program, feeds } = await generate(seed);
    const c = await caseOf(program, feeds);
    const modes = [...MODES, partly(choicesOf(seed).below(SOME_REWRITES))];
    totals.graphs++;
    totals.nodes += program.nodes.length;
    for (const { op, domain } of program.nodes)
      if (domain !== 'local') totals.operators.set(op, (totals.operators.get(op) ?? 0) + 1);
    const finding = await findingOf(c, modes);
    if (finding) yield { seed, case: c, finding };
    else right.push({ seed, case: c });
  }
  const threaded = await findingOnThreads(right.map((each) => each.case));
  if (!threaded) return;
  const seed = right.find((each) => each.case === threaded.at)?.seed ?? (seeds[0] as number);
  yield { seed, case: threaded.at, finding: threaded.finding };
}

/** What is found in graphs of these seeds, as small programs. `minimising`: milliseconds for each finding. */
export async function fuzz(seeds: readonly number[], totals: Campaign, minimising = 20_000): Promise<void> {
  for await (const { seed, case: c, finding } of findings(seeds, totals))
    totals.found.push(await printed(await minimise(c, finding, minimising), seed));
}
