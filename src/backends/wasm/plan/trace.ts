import { formatSize } from '../../../graph/sizes.js';
import type { PlanningContext } from './context.js';
import type { Stage } from './stage.js';
import { SymbolicDraft } from './symbolic-draft.js';
import { SymbolicFacts } from './symbolic-facts.js';
import { Untraceable } from './tape.js';
import { type Trace, TraceLog } from './traced.js';

/**
 * Traces a stage: infers its nodes and lowers them again with symbols for its open sizes; the values of the symbols are
 * those of the stage. Open are the sizes and contents named in `varied` or, if that is null, the sizes that no declaration
 * fixes. Undefined if the stage depends on more than sizes.
 */
export function traceStage(
  context: PlanningContext,
  stage: Stage,
  varied: ReadonlySet<string> | null,
): Trace | undefined {
  const { blueprint, rest, outputs, slots } = stage;
  const log = new TraceLog();
  const known = new SymbolicFacts(log, stage);
  const draft = new SymbolicDraft(context, log, stage, known);
  try {
    if (!known.declareInputs(varied)) return undefined;
    for (const finding of blueprint.specialized.findings) known.find(finding);
    const nodes = blueprint.lowered.flatMap((lowered) => draft.lower(lowered) ?? []);
    for (const { value } of [...outputs, ...(rest?.observed ?? [])]) draft.checkInPlace(value);
    for (const value of rest?.resident.keys() ?? []) draft.checkInPlace(value);
    for (const value of known.values.keys()) draft.requireRoom(value);
    const { inputs, numeric, values } = known;
    const symbols = Array.from(known.symbols.values(), ({ symbol, now }) => [formatSize(symbol), now] as const);
    const fresh = slots.map((slot) => draft.traceSlot(slot));
    const { tape, guards, failures } = log;
    return { tape, symbols, inputs, numeric, guards, nodes, values, fresh, failures };
  } catch (error) {
    if (error instanceof Untraceable) return undefined;
    throw error;
  }
}
