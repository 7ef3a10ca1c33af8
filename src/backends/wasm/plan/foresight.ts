import { NodeView } from '../../../analysis/node-view.js';
import type { Facts } from '../../../graph/facts.js';
import type { Value } from '../../../graph/graph.js';
import { bytesOf } from '../../../tensor/stored-rows.js';
import { type Foreseen, isOnCourse } from './foreseen.js';
import { type Line, typeAt } from './lines.js';
import { behindFirst, monomialsAt } from './multi-affine.js';
import { type Finding, foldNode } from './specialize.js';

/** How many steps are foreseen with the next one. */
const AHEAD = 15;

/** What is foreseen is kept for places that come again, up to so many bytes. */
const MOST_BYTES = 1 << 20;

const NOTHING: readonly Uint8Array[] = [];

/** Contents that follow from shapes, found anew for each place of a row. */
export class Foresight {
  readonly #findings: readonly Finding[];
  /** By places, as far as they have come: at most as many folded tensors as the row reaches. */
  readonly #contents = new Map<string, readonly Uint8Array[]>();
  #bytes = 0;

  constructor(
    private readonly facts: Facts,
    private readonly lines: readonly (Line | null)[],
    private readonly reach: readonly number[],
    readonly foreseen: readonly Foreseen[],
    found: readonly Finding[],
  ) {
    this.#findings = findingsFor(
      foreseen.map(({ value }) => value),
      found,
    );
  }

  /** The bytes at a place, in the order of `foreseen`, where a plan is at another one; undefined where something is otherwise. */
  at(place: readonly number[], now: readonly number[]): readonly Uint8Array[] | undefined {
    if (this.foreseen.length === 0) return NOTHING;
    return this.#contents.get(place.join()) ?? this.#foresee(place, now);
  }

  /** What is computed for the next step is computed for some behind it, too: right after another, it takes less than half. */
  #foresee(place: readonly number[], now: readonly number[]): readonly Uint8Array[] | undefined {
    const contents = this.#contentsAt(place);
    const [step, ...others] = place as [number];
    if (!contents || others.length > 0 || step !== (now[0] as number) + 1 || this.#findings.length === 0)
      return contents;
    const last = Math.min(step + AHEAD, this.reach[0] as number);
    try {
      for (let next = step + 1; next <= last && !this.#contents.has(String(next)); next++) this.#contentsAt([next]);
    } catch {}
    return contents;
  }

  #contentsAt(place: readonly number[]): Uint8Array[] | undefined {
    const { facts, lines, foreseen } = this;
    for (const line of lines)
      if (line?.steps.some((each) => each !== 0)) facts.set(line.value, { type: typeAt(line, place) });
    for (const finding of this.#findings) if (!refind(finding, facts)) return undefined;
    const monomials = monomialsAt(behindFirst(place));
    for (const each of foreseen) if (!isOnCourse(each, facts, monomials)) return undefined;
    const contents = foreseen.map(({ value }) => bytesOf(facts.get(value)?.contents?.data as Uint8Array));
    this.#keep(place, contents);
    return contents;
  }

  #keep(place: readonly number[], contents: readonly Uint8Array[]): void {
    this.#bytes += contents.reduce((sum, { length }) => sum + length, 0);
    if (this.#bytes <= MOST_BYTES) this.#contents.set(place.join(), contents);
  }
}

/** Of what is found, that which `values` follow from. */
function findingsFor(values: readonly Value[], found: readonly Finding[]): Finding[] {
  const needed = new Set(values);
  const needs = ({ node, operands }: Finding) => {
    if (!node.outputs.some((value) => value && needed.has(value))) return false;
    for (const value of operands) needed.add(value);
    return true;
  };
  return found.toReversed().filter(needs).reverse();
}

function refind({ node, outcome }: Finding, facts: Facts): boolean {
  const view = new NodeView(node, facts);
  if (outcome.kind === 'folded') return foldNode(view);
  const types = view.outputTypes();
  for (const [i, value] of node.outputs.entries()) {
    const type = types[i];
    if (value && type) facts.set(value, { type });
  }
  return true;
}
