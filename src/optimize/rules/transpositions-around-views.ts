import { intsAttribute, intsOf } from '../../graph/attributes.js';
import type { Node, Value } from '../../graph/graph.js';
import type { Size } from '../../graph/sizes.js';
import { inverse } from '../../primitives/transpose.js';
import type { TensorValue } from '../../tensor/tensor-value.js';
import type { GraphEditor } from '../editor.js';
import type { Rule } from '../rule.js';

const VIEWS: ReadonlySet<string> = new Set(['Reshape', 'Flatten', 'Squeeze', 'Unsqueeze']);

const dimsOf = (editor: GraphEditor, value: Value | null | undefined): readonly Size[] | undefined => {
  const type = value && editor.facts.get(value)?.type;
  return type?.kind === 'tensor' ? type.dims : undefined;
};

const permOf = ({ op, domain, attributes }: Node) =>
  op === 'Transpose' && domain === '' ? intsOf(attributes, 'perm') : undefined;

/** The run of axes of `fine` that each axis of `coarse` splits into; undefined if the view does not only split axes. */
function runsOf(coarse: readonly Size[], fine: readonly Size[]): number[][] | undefined {
  const runs: number[][] = [];
  let next = 0;
  for (const size of coarse) {
    const run = [next];
    let reached = fine[next++];
    while (reached !== size && typeof reached === 'number' && reached > 0 && next < fine.length) {
      const more = fine[next];
      reached = typeof more === 'number' ? reached * more : reached === 1 ? more : undefined;
      run.push(next++);
    }
    if (reached !== size || size === 0) return undefined;
    runs.push(run);
  }
  for (; next < fine.length; next++) if (fine[next] !== 1 || !runs.at(-1)?.push(next)) return undefined;
  return runs;
}

/** A shape as a tensor, with −1 for at most one unknown size. */
function shapeOf(dims: readonly Size[]): TensorValue | undefined {
  if (dims.filter((d) => typeof d !== 'number').length > 1) return undefined;
  const data = BigInt64Array.from(dims, (d) => BigInt(typeof d === 'number' ? d : -1));
  return { type: 'int64', dims: [dims.length], data };
}

/** Merges two transpositions around a view that splits or joins axes into one before or after it: shuffled channels stay channels-last. */
export const aroundViews: Rule = {
  name: 'transpositions around a view',
  roots: ['Transpose'],
  propose(node, editor, build) {
    const view = node.inputs[0] && editor.producerOf(node.inputs[0]);
    const inner =
      view && VIEWS.has(view.op) && view.domain === '' && view.inputs[0] && editor.producerOf(view.inputs[0]);
    if (!view || !inner) return undefined;
    const [outerPerm, innerPerm] = [permOf(node), permOf(inner)];
    const [before, after] = [dimsOf(editor, view.inputs[0]), dimsOf(editor, view.outputs[0])];
    if (!outerPerm || !innerPerm || !before || !after) return undefined;
    const source = inner.inputs[0] as Value;
    const covers = [node, view, inner];
    const transpose = (x: Value, perm: readonly number[]) =>
      build.emit('Transpose', [x], { perm: intsAttribute(perm) });
    const divided = runsOf(before, after);
    if (divided) {
      const axes = inverse(innerPerm).flatMap((axis) => divided[axis] as number[]);
      const shape = shapeOf(axes.map((axis) => after[axis] as Size));
      if (!shape) return undefined;
      const [viewed] = build.emit('Reshape', [source, build.constant(shape)]);
      return {
        replaces: transpose(
          viewed as Value,
          outerPerm.map((axis) => axes.indexOf(axis)),
        ),
        covers,
      };
    }
    const joined = runsOf(after, before);
    const shape = joined && shapeOf(outerPerm.map((axis) => after[axis] as Size));
    if (!shape) return undefined;
    const perm = outerPerm.flatMap((axis) => joined[axis] as number[]).map((axis) => innerPerm[axis] as number);
    const [transposed] = transpose(source, perm);
    return { replaces: build.emit('Reshape', [transposed as Value, build.constant(shape)]), covers };
  },
};
