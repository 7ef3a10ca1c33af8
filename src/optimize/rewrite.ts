import { account } from '../account.js';
import { Emitter, rename } from '../analysis/decompose.js';
import { SardonyxError } from '../base/errors.js';
import { operandsOf } from '../graph/captures.js';
import { sameDims } from '../graph/dims.js';
import type { Fact } from '../graph/facts.js';
import type { Node, Value } from '../graph/graph.js';
import { differ } from '../graph/guards.js';
import { formatType, type ValueType } from '../graph/types.js';
import type { GraphEditor } from './editor.js';
import type { RewriteLog } from './rewrite-log.js';
import type { Rule } from './rule.js';

/** Rewrites per node beyond which the rules are assumed to cycle. */
const MAX_REWRITES_PER_NODE = 40;

/** Applies the rules until none applies. */
export function rewrite(editor: GraphEditor, rules: readonly Rule[], log: RewriteLog): void {
  const byRoot = indexed(rules);
  let budget = MAX_REWRITES_PER_NODE * (editor.nodes.length + 10);
  const queue = new Set<Node>(editor.nodes);
  for (const node of queue) {
    queue.delete(node);
    account()?.look();
    if (!editor.isLive(node) || operandsOf(node).some((value) => !editor.facts.has(value))) continue;
    for (const rule of byRoot.get(`${node.domain}:${node.op}`) ?? []) {
      if (log.applied.length >= log.limit) return;
      const made = tryRule(editor, rule, node, log);
      if (!made) continue;
      log.applied.push({ rule: rule.name, node: node.name });
      if (--budget <= 0) {
        log.refused?.push({ rule: rule.name, node: node.name, reason: 'rewriting does not end' });
        return;
      }
      for (const touched of neighbors(editor, made, node)) queue.add(touched);
      break;
    }
  }
}

function indexed(rules: readonly Rule[]): Map<string, Rule[]> {
  const byRoot = new Map<string, Rule[]>();
  for (const rule of rules) {
    for (const root of rule.roots) {
      const key = root.includes(':') ? root : `:${root}`;
      byRoot.set(key, [...(byRoot.get(key) ?? []), rule]);
    }
  }
  return byRoot;
}

/** The nodes that replace `root`, or undefined if the rule does not apply or must not. */
function tryRule(editor: GraphEditor, rule: Rule, root: Node, log: RewriteLog): readonly Node[] | undefined {
  const emitter = new Emitter(root.name);
  const proposal = rule.propose(root, editor, emitter);
  if (!proposal) return undefined;
  const made =
    'refused' in proposal
      ? proposal.refused
      : (usedElsewhere(editor, root, proposal.covers) ??
        commit(editor, [root, ...(proposal.beside ?? [])], emitter, proposal.replaces, log));
  if (typeof made !== 'string') return made;
  log.refused?.push({ rule: rule.name, node: root.name, reason: made });
  return undefined;
}

/** Replaces the first of `roots` by the new nodes. Returns a reason if their types differ from those of the nodes that they replace. */
function commit(
  editor: GraphEditor,
  roots: readonly [Node, ...Node[]],
  emitter: Emitter,
  results: readonly Value[],
  log: RewriteLog,
): readonly Node[] | string {
  const [root, ...beside] = roots;
  const outputs = roots.flatMap((node) => node.outputs);
  const made = new Set(emitter.nodes.flatMap((node) => node.outputs));
  const aliases = outputs.every(
    (output, i) => !output || (!made.has(results[i] as Value) && editor.canRedirect(output)),
  );
  const before = outputs.map((value) => value && editor.facts.get(value));
  if (aliases && emitter.nodes.length === 0) {
    const refused = changeOf(
      before,
      results.map((value) => editor.facts.get(value)),
    );
    if (refused !== undefined) return refused;
    outputs.forEach((output, i) => {
      if (output) editor.redirect(output, results[i] as Value);
    });
    editor.remove(root, editor.producerOf(results[0] as Value));
    return [];
  }
  const nodes = rename(emitter.nodes, results, outputs);
  const reason = log.refuses?.(nodes) ?? infer(editor, nodes);
  const refused =
    reason ??
    changeOf(
      before,
      outputs.map((value) => value && editor.facts.get(value)),
    );
  outputs.forEach((value, i) => {
    const was = before[i];
    if (value && was) editor.facts.set(value, was);
  });
  if (refused !== undefined) return refused;
  editor.replace(root, nodes);
  for (const node of beside) editor.remove(node, nodes[0]);
  return nodes;
}

/** Describes the first type that would change. */
function changeOf(before: readonly (Fact | null | undefined)[], after: readonly (Fact | null | undefined)[]) {
  for (const [i, was] of before.entries()) {
    const is = after[i];
    if (was && is && !agree(was.type, is.type)) return `${formatType(was.type)} would become ${formatType(is.type)}`;
  }
  return undefined;
}

/** Infers the types of new nodes. Returns the error message if they do not accept their inputs. */
function infer(editor: GraphEditor, nodes: readonly Node[]): string | undefined {
  try {
    for (const node of nodes) {
      const view = editor.viewOf(node);
      view.check();
      view.infer();
    }
    return undefined;
  } catch (error) {
    if (error instanceof SardonyxError) return error.message;
    throw error;
  }
}

/** Describes a value inside the covered nodes that is read outside them. */
function usedElsewhere(editor: GraphEditor, root: Node, covers: readonly Node[]): string | undefined {
  const covered = new Set(covers);
  for (const node of covers) {
    if (node === root) continue;
    for (const value of node.outputs) {
      if (!value) continue;
      const outside = editor.isOutput(value) || [...editor.readersOf(value)].some((reader) => !covered.has(reader));
      if (outside) return `"${value.name}" is used elsewhere`;
    }
  }
  return undefined;
}

/**
 * Nodes to which rules may now apply. Readers of constants are excluded: there may be thousands, and rules look only at readers of nodes'
 * results.
 */
function neighbors(editor: GraphEditor, made: readonly Node[], root: Node): Node[] {
  const values = [...made.flatMap((node) => [...node.inputs, ...node.outputs]), ...root.inputs].filter(
    (value): value is Value => value !== null && !value.constant,
  );
  const around = values.flatMap((value) => [editor.producerOf(value), ...editor.readersOf(value)]);
  return [...made, ...around.filter((node) => node !== undefined)];
}

/** Whether two types may be the same: equal elements, no known sizes that differ. */
function agree(a: ValueType, b: ValueType): boolean {
  if (a.kind !== 'tensor' || b.kind !== 'tensor') return a.kind === b.kind;
  if (a.element !== b.element) return false;
  if (!a.dims || !b.dims || sameDims(a.dims, b.dims)) return true;
  if (a.dims.length !== b.dims.length) return false;
  return a.dims.every((d, i) => !differ(d, b.dims?.[i]));
}
