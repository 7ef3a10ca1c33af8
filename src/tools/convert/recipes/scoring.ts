import { NodeProto } from '../../../../build/onnx.js';
import { SardonyxError } from '../../../base/errors.js';
import { readAttributes } from '../../../model/attributes.js';
import { DimSymbols } from '../../../model/types.js';
import type { Base } from '../../../primitives/tree-operators.js';
import type { RegressorTrees } from '../../../primitives/trees.js';
import { ELEMENTS, type ElementType } from '../../../tensor/element-types.js';
import { block, int, textAt } from '../node.js';
import { type Draft, neededElement, type Step } from '../step.js';
import { asEnsemble, type Forest, TRANSFORMS, type Transform } from '../tree-lists.js';

/** The node's attributes in the runtime's format. */
export function valuesOf({ attribute }: NodeProto): object {
  const context = { external: undefined, symbols: new DimSymbols(), readGraph: () => block('the node has subgraphs') };
  return read(() =>
    Object.fromEntries(Object.entries(readAttributes(attribute, context)).map(([name, { value }]) => [name, value])),
  );
}

/** Blocks the conversion of a node whose trees are invalid. */
export function read<T>(trees: () => T): T {
  try {
    return trees();
  } catch (thrown) {
    if (!(thrown instanceof SardonyxError)) throw thrown;
    return block(thrown.complaint);
  }
}

/** Emits the scores of the trees, as float32. Integers are compared as floats. */
export function scored(
  step: Step,
  draft: Draft,
  forest: Forest,
  isWide: boolean,
  transform: Transform = 'NONE',
): string {
  const own = neededElement(step, 0);
  const element = isWide || own === 'float64' ? 'float64' : 'float32';
  const [input] = step.node.input as [string];
  const cast = (x: string, to: ElementType) => draft.emit('Cast', [x], [int('to', ELEMENTS[to].onnx)]);
  const y = step.fresh(`${step.node.output.find(Boolean) ?? step.node.name}_scores`);
  draft.nodes.push(
    new NodeProto({
      domain: step.node.domain,
      opType: 'TreeEnsemble',
      input: [own === element ? input : cast(input, element)],
      output: [y],
      attribute: asEnsemble(forest, element, transform),
    }),
  );
  return element === 'float32' ? y : cast(y, 'float32');
}

export type Regressor = RegressorTrees &
  Base & { readonly n_targets: number | undefined; readonly target_ids: readonly number[] | undefined };

export const isDouble = ({ nodes_values_as_tensor: values }: RegressorTrees) => values?.type === 'float64';

export function transformOf({ node }: Step): Transform {
  const name = textAt(node, 'post_transform') ?? 'NONE';
  return (
    TRANSFORMS.find((transform) => transform === name) ??
    block(`unknown post_transform=${name}; expected ${TRANSFORMS.join(', ')}`)
  );
}

export const ended = (draft: Draft, results: readonly (readonly [from: string, to: string | undefined])[]) => [
  ...draft.nodes,
  ...results.flatMap(([from, to]) => (to ? [new NodeProto({ opType: 'Identity', input: [from], output: [to] })] : [])),
];

/** Applies `post_transform` to the scores of several classes. The other two transforms of ONNX have no operators. */
export function transformed(draft: Draft, scores: string, transform: Transform): string {
  if (transform === 'NONE') return scores;
  if (transform === 'LOGISTIC') return draft.emit('Sigmoid', [scores]);
  if (transform === 'SOFTMAX') return draft.emit('Softmax', [scores], [int('axis', 1)]);
  return block(`post_transform=${transform} of a classifier is not supported since version 5`);
}
