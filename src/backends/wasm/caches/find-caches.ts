import { NodeView } from '../../../analysis/node-view.js';
import { operandsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { concat } from '../../../primitives/concat.js';
import { writeRows } from '../../../primitives/write-rows.js';
import { operatorOf } from '../../../schema/registry.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import type { StageStart } from '../plan/stage.js';
import { growthOf, rowsOf } from './slots.js';

/** An input that an output extends by rows. */
export interface Growth {
  readonly past: Value;
  readonly present: Value;
  readonly matrices: number;
  readonly rowBytes: number;
  /** Rows of the output. */
  readonly rows: number;
  /** The rows that the node appends or writes; the last operand, if there are several. */
  readonly added: Value;
  readonly fresh: number;
}

/**
 * The outputs of a stage that append rows to an input with no other reader, and whose own readers are primitives that
 * accept gaps between matrices.
 */
export function findCaches(nodes: readonly Node[], { held, outputs, facts }: StageStart, isSteady: boolean): Growth[] {
  const readers = readersOf(nodes);
  return nodes.flatMap((node) => {
    const [past, ...others] = node.inputs;
    const [present] = node.outputs;
    if (!past || !present || !held.includes(past) || past.constant) return [];
    if (!namesOf(present, readers).some((value) => outputs.includes(value))) return [];
    if (outputs.includes(past) || others.includes(past) || readers.get(past)?.length !== 1) return [];
    if (!(isSteady ? replacesRows : appendsRows)(new NodeView(node, facts))) return [];
    return isReadWithPitch(present, readers, facts) ? growthsOf(past, present, others.at(-1) ?? present, facts) : [];
  });
}

type Readers = ReadonlyMap<Value, readonly Node[]>;

/** A value and its other names after Identity nodes: the output of a branch is that of its If by another name. */
const namesOf = (value: Value, readers: Readers): Value[] => [
  value,
  ...(readers.get(value) ?? []).filter(isName).flatMap(({ outputs }) => namesOf(outputs[0] as Value, readers)),
];

const isName = ({ op, domain }: Node): boolean => op === 'Identity' && domain === '';

const isReadWithPitch = (value: Value, readers: Readers, facts: Facts): boolean =>
  (readers.get(value) ?? []).every((reader) =>
    isName(reader)
      ? isReadWithPitch(reader.outputs[0] as Value, readers, facts)
      : readsWithPitch(new NodeView(reader, facts), value),
  );

function readersOf(nodes: readonly Node[]): Map<Value, Node[]> {
  const readers = new Map<Value, Node[]>();
  for (const node of nodes)
    for (const value of operandsOf(node)) readers.set(value, [...(readers.get(value) ?? []), node]);
  return readers;
}

function appendsRows(view: NodeView): boolean {
  const { computes } = operatorOf(view.node);
  const rank = view.dims(0)?.length ?? 0;
  return (
    computes?.primitive === concat && rank >= 2 && (computes.parameters(view) as { axis: number }).axis === rank - 2
  );
}

/** In a cache that appears with more rows than are filled, the written rows follow the filled ones. */
const replacesRows = (view: NodeView): boolean => operatorOf(view.node).computes?.primitive === writeRows;

function readsWithPitch(view: NodeView, value: Value): boolean {
  const { computes } = operatorOf(view.node);
  const { takesPitch } = computes?.primitive.facts ?? {};
  return view.node.inputs.every((input, i) => input !== value || takesPitch?.(view, i) === true);
}

function growthsOf(past: Value, present: Value, added: Value, facts: Facts): Growth[] {
  const growth = growthOf(present, added, facts);
  const type = facts.get(present)?.type as { element: ElementType };
  const isWhole = ELEMENTS[type.element].bits >= 8 && growth.matrices * growth.rowBytes > 0;
  return isWhole ? [{ past, present, ...growth, rows: rowsOf(present, facts), added }] : [];
}
