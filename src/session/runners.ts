import type { Executor } from '../backends/backend.js';
import type { Graph } from '../graph/graph.js';
import { checkFetches, type Fetches, isFetched } from './fetches.js';

interface Part {
  readonly runner: Executor;
  /** Whether each output of the graph is computed. */
  readonly computed: readonly boolean[];
}

/** Maximum number of output sets with a runner of their own; for further sets, all outputs are computed. */
const MAX_PARTS = 16;

/** The runners of a session's graph: one for each requested set of outputs, which computes nothing that only others need. */
export class Runners {
  readonly #all: Executor;
  readonly #parts: Part[] = [];
  readonly names: readonly string[];
  /** Scratch of `select`, so that it allocates nothing for known sets. */
  readonly #wanted: boolean[] = [];
  /** The runner of the current or last run. */
  current: Executor;

  constructor(
    private readonly compile: (graph: Graph) => Executor,
    private readonly graph: Graph,
  ) {
    this.#all = compile(graph);
    this.names = graph.outputs.map(({ name }) => name);
    this.current = this.#all;
  }

  /** Selects the runner for these outputs. */
  select(fetches: Fetches | undefined): Executor {
    this.current = fetches ? this.#partFor(fetches) : this.#all;
    return this.current;
  }

  #partFor(fetches: Fetches): Executor {
    checkFetches(fetches, this.names);
    const wanted = this.#wanted;
    for (let i = 0; i < this.names.length; i++) wanted[i] = isFetched(fetches, this.names[i] as string);
    if (!wanted.includes(false)) return this.#all;
    for (const { runner, computed } of this.#parts) if (isSame(computed, wanted)) return runner;
    if (this.#parts.length === MAX_PARTS) return this.#all;
    const outputs = this.graph.outputs.filter((_, i) => wanted[i]);
    const runner = this.compile({ ...this.graph, outputs });
    this.#parts.push({ runner, computed: [...wanted] });
    return runner;
  }
}

function isSame(a: readonly boolean[], b: readonly boolean[]): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
