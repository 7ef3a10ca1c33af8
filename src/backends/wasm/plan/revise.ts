import type { Engine } from '../../../../bindings/engine.js';
import { account } from '../../../account.js';
import { EVERYTHING, NodeView } from '../../../analysis/node-view.js';
import { subgraphsOf } from '../../../graph/captures.js';
import type { Fact, Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import type { ValueType } from '../../../graph/types.js';
import { resized } from '../caches/slots.js';
import type { PlanningContext } from './context.js';
import type { Variation } from './draft.js';
import { sameItems } from './facts-alike.js';
import { locate, lowerNode, resident } from './lower-node.js';
import { settled } from './planner.js';
import { type Program, tilesOf } from './program.js';
import { reviseProgram } from './revise-program.js';
import { type Come, Revision } from './revision.js';
import { sameParts } from './same-parts.js';
import { type Evaluating, type Finding, type Outcome, outcomeOf } from './specialize.js';
import type { BaseStage, HostSide, Lowered, Resident, Rest, Segment, SlotUse, Stage, StageStart } from './stage.js';
import { Weights } from './weights.js';

/**
 * The stage `base` for other `types` of values on the host, if these need the same launches at other sizes, and its
 * buffers have room. Examines only nodes that are affected, and writes only their parameters. Otherwise returns the
 * values that vary.
 */
export function reviseStage(
  context: PlanningContext,
  base: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
): Stage | Variation {
  const { start } = base.origin;
  if (!isFor(start, types)) return { values: types.keys(), facts: start.facts };
  const own = new Weights(context.engine);
  const heldBefore = account()?.held ?? 0;
  const revision = new Revision(context, own, base, start.facts.fork());
  try {
    for (const [value, type] of types) revision.learn(value, { type });
    const ends =
      revision.differsInSizes(types.keys()) && respecialize(base, revision) && relower(base, revision)
        ? endsOf(base, revision)
        : undefined;
    const slots = ends ? base.slots.flatMap((slot) => resized(slot, revision.facts) ?? []) : [];
    if (ends && !revision.differs && slots.length === base.slots.length)
      return revised(context, base, revision, ends, slots, heldBefore, types);
    undo(own, heldBefore);
    return { values: revision.changed, facts: start.facts };
  } catch (error) {
    undo(own, heldBefore);
    throw error;
  }
}

/** Whether a stage was planned for the same inputs. */
const isFor = ({ held }: StageStart, types: ReadonlyMap<Value, ValueType>) =>
  held.length === types.size && held.every((value) => types.has(value));

function undo(own: Weights, heldBefore: number): void {
  own.release();
  const limits = account();
  limits?.hold(heldBefore - limits.held);
}

/** Repeats the findings of nodes that read something else now; false if an outcome is of another kind. */
function respecialize(base: BaseStage, revision: Revision): boolean {
  const { start, specialized } = base.origin;
  const evaluating = { now: start.evaluates, held: start.lasting };
  for (const finding of specialized.findings) {
    const { node, operands } = finding;
    if (!operands.some((value) => revision.changed.has(value))) continue;
    if (!revision.matters(node, operands, lookedAt(finding))) continue;
    if (!refind(finding, new NodeView(node, revision.facts), evaluating, revision)) return false;
  }
  return true;
}

/** Runnable nodes depend on input types and on the contents that they read; other nodes may depend on everything. */
const lookedAt = ({ node, outcome, looked }: Finding): number =>
  outcome.kind === 'runnable' && outcome.dynamic.length === 0 && subgraphsOf(node).length === 0 ? looked : EVERYTHING;

function refind({ operands, outcome }: Finding, view: NodeView, evaluating: Evaluating, revision: Revision): boolean {
  const found = outcomeOf(view, operands, evaluating, revision.differsInSizes(operands));
  if (!sameOutcome(outcome, found, (value, fact) => revision.learn(value, fact))) return false;
  if (found.kind === 'parts') return true;
  for (const value of view.node.outputs) {
    const fact = value && revision.facts.get(value);
    if (fact) revision.learn(value, fact);
  }
  return true;
}

export function sameOutcome(before: Outcome, now: Outcome, learn: (value: Value, fact: Fact) => void): boolean {
  if (before.kind === 'parts') return now.kind === 'parts' && sameParts(before.nodes, now.nodes, learn);
  if (before.kind === 'runnable') return now.kind === 'runnable' && sameItems(before.dynamic, now.dynamic);
  if (before.kind === 'deferred') return now.kind === 'deferred' && sameItems(before.missing, now.missing);
  return now.kind === 'folded';
}

/** Lowers affected nodes again; false if that needs other launches or more room. */
function relower({ origin }: BaseStage, revision: Revision): boolean {
  for (const lowered of origin.lowered) {
    if (!revision.concerns(lowered)) continue;
    if (!revision.isWhole(lowerAgain(revision, lowered, origin.host))) return false;
  }
  return revision.renewContents();
}

export function lowerAgain(revision: Revision, lowered: Lowered, host: HostSide): Come {
  const come = revision.begin(lowered);
  lowerNode(revision, revision.facts, lowered.node, host);
  return come;
}

/** The places of values that come from outside the stage or outlive it. */
interface Ends extends Pick<Stage, 'copies' | 'outputs'> {
  readonly observed: Rest['observed'];
  readonly later: ReadonlyMap<Value, Resident>;
}

function endsOf({ copies, outputs, rest, origin }: BaseStage, revision: Revision): Ends {
  const { facts } = revision;
  const isOther = ({ value }: { readonly value: Value }) => revision.isOther(value);
  const residentOf = (value: Value) => resident(revision, facts, value);
  const sourceOf = (value: Value) => locate(revision, facts, origin.host.values, value);
  return {
    copies: copies.map((copy) => (isOther(copy) ? { ...copy, target: residentOf(copy.value) } : copy)),
    outputs: outputs.map((output) => (isOther(output) ? { ...output, source: sourceOf(output.value) } : output)),
    observed: (rest?.observed ?? []).map(({ value }) => ({ value, source: sourceOf(value) })),
    later: new Map(Array.from(rest?.resident.keys() ?? [], (value) => [value, residentOf(value)])),
  };
}

function segmentOf(segment: Segment, engine: Engine, program: Program, { calls }: Revision): Segment {
  if (segment.kind === 'program') return { ...segment, tiles: tilesOf(engine, program, segment.begin, segment.end) };
  return { ...segment, call: calls.get(segment.call) ?? segment.call };
}

/** Computes the facts about a stage that was revised for `types`, on demand. */
export function replayed(
  { origin: { start, specialized } }: BaseStage,
  types: ReadonlyMap<Value, ValueType>,
): () => Facts {
  let known: Facts | undefined;
  return () => {
    if (known) return known;
    const facts = start.facts.fork();
    known = facts;
    for (const [value, type] of types) facts.set(value, { type });
    const evaluating = { now: start.evaluates, held: start.lasting };
    for (const { node, operands, outcome } of specialized.findings) {
      const found = outcomeOf(new NodeView(node, facts), operands, evaluating, true);
      sameOutcome(outcome, found, (value, fact) => facts.set(value, fact));
    }
    return facts;
  };
}

function revised(
  { engine, arena }: PlanningContext,
  base: BaseStage,
  revision: Revision,
  { copies, outputs, observed, later }: Ends,
  slots: readonly SlotUse[],
  heldBefore: number,
  types: ReadonlyMap<Value, ValueType>,
): Stage {
  const program = reviseProgram(engine, arena, base.program, revision, revision.own);
  const resident = settled(later, program);
  return {
    ...base,
    copies,
    outputs,
    segments: base.segments.map((segment) => segmentOf(segment, engine, program, revision)),
    slots,
    guards: base.guards.map((guard) => revision.guards.get(guard) ?? guard),
    program,
    values: revision.moved,
    contentsBytes: (account()?.held ?? 0) - heldBefore,
    rest: base.rest && { ...base.rest, facts: revision.facts, observed, resident, cache: new Map(), contentsSeen: 0 },
    origin: { kind: 'revised', base, facts: replayed(base, types) },
  };
}
