import { decompose } from '../../analysis/decompose.js';
import type { NodeView } from '../../analysis/node-view.js';
import { intOf } from '../../graph/attributes.js';
import { subgraphsOf } from '../../graph/captures.js';
import type { Facts } from '../../graph/facts.js';
import type { Node, Value } from '../../graph/graph.js';
import { castTo } from '../../ops/emit.js';
import { isCacheRead } from '../../ops/stored-caches.js';
import { transpose } from '../../primitives/transpose.js';
import type { AnyOperator } from '../../schema/definition.js';
import { operatorOf, operatorsWith } from '../../schema/registry.js';
import { parameterAt } from '../../schema/signature.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import type { GraphEditor } from '../editor.js';
import type { Builder, Proposal, Rule } from '../rule.js';
import { contentsOf, tensorTypeOf } from './quantized-values.js';

const HALVES: readonly (ElementType | undefined)[] = ['float16', 'bfloat16'];

const isHalf = (editor: GraphEditor, value: Value | null | undefined): value is Value =>
  HALVES.includes(tensorTypeOf(editor, value)?.element);

/** The input of a Cast to `element`. */
function castOf(node: Node | undefined, element: ElementType): Value | undefined {
  const isCast =
    node?.domain === '' && node.op === 'Cast' && intOf(node.attributes, 'to', 0) === ELEMENTS[element].onnx;
  return isCast ? (node.inputs[0] as Value) : undefined;
}

/** Half-precision values that rewritten nodes cast from floats. Results of the model's own Cast nodes are not included. */
type Made = WeakSet<Value>;

/** The float32 or float64 value that a half-precision value was cast from. */
function sourceOf(made: Made, editor: GraphEditor, value: Value | null | undefined): Value | undefined {
  const node = value && made.has(value) ? editor.producerOf(value) : undefined;
  const source = node?.op === 'Cast' ? node.inputs[0] : undefined;
  const element = tensorTypeOf(editor, source)?.element;
  return source && (element === 'float32' || element === 'float64') ? source : undefined;
}

/** The float32 value for a half-precision value that was cast from floats. */
function floatsOf(made: Made, editor: GraphEditor, build: Builder, value: Value | null | undefined): Value | undefined {
  const source = sourceOf(made, editor, value);
  return source && tensorTypeOf(editor, source)?.element === 'float64' ? castTo(build, source, 'float32') : source;
}

const takesEither = (types: readonly ElementType[] | undefined): boolean =>
  types?.includes('float32') === true && types.some((type) => HALVES.includes(type));

const acceptsFloats = ({ types }: AnyOperator): boolean => Object.values(types).some(takesEither);

const isReadAsIs = ({ halves, readsBits }: AnyOperator): boolean => halves === 'as they are' || readsBits === true;

/** Operators that accept float32 in place of half precision, in any version. A flag of one version holds for the others. */
function operatorsOnFloats(): string[] {
  const readAsIs = new Set(operatorsWith(isReadAsIs));
  return operatorsWith(acceptsFloats).filter((name) => !readAsIs.has(name));
}

/** Whether input `i` may be float32 in place of half precision. KV caches are read as stored. */
const isWidened = ({ signature, types, caches }: AnyOperator, i: number): boolean =>
  !caches?.includes(i) && takesEither(types[parameterAt(signature.inputs, i)?.type ?? '']);

/** Repeats the node, in its own version, on float32, and casts the results to their original types. */
function onFloats(made: Made, node: Node, editor: GraphEditor, build: Builder): Proposal {
  const operator = operatorOf(node);
  const inputs = node.inputs.map((value, i) =>
    isHalf(editor, value) && isWidened(operator, i)
      ? (floatsOf(made, editor, build, value) ?? castTo(build, value, 'float32'))
      : value,
  );
  if (inputs.every((value, i) => value === node.inputs[i])) return undefined;
  const results = build.repeat(node, inputs).map((result, i) => {
    const output = node.outputs[i];
    if (!isHalf(editor, output)) return result;
    made.add(output);
    return castTo(build, result, tensorTypeOf(editor, output)?.element as ElementType);
  });
  return { replaces: results, covers: [node] };
}

/** Whether a part of a decomposed node widens one of the node's inputs. */
function widens(part: Node, { inputs }: Node): boolean {
  const halves = castOf(part, 'float32') ?? castOf(part, 'float64');
  return halves !== undefined && inputs.includes(halves);
}

const isCarried = ({ halves }: AnyOperator): boolean => halves === 'carried';

const mayCarry = ({ computes, halves }: AnyOperator): boolean =>
  halves === 'carried' || computes?.primitive.facts.moves !== undefined;

/** Whether a node only moves elements. It then uses float32 only if its inputs already exist in it. */
function isCarrying(view: NodeView, carriers: ReadonlySet<string>): boolean {
  const { computes, domain, name } = view.operator;
  if (carriers.has(domain ? `${domain}:${name}` : name)) return true;
  const moves = computes?.primitive.facts.moves;
  const parameters = moves && computes.parameters(view);
  return moves !== undefined && (parameters === undefined || moves(parameters));
}

/** Whether a node joins floats with half-precision values into an output: with a KV cache, this would widen the whole cache in each run. */
const extendsOutput = (made: Made, { inputs, outputs }: Node, editor: GraphEditor): boolean =>
  outputs.some((value) => value && editor.isOutput(value)) &&
  inputs.some((value) => isHalf(editor, value) && !sourceOf(made, editor, value) && !contentsOf(editor, value));

const holdsTensors = ({ outputs }: Node, { facts }: GraphEditor): boolean =>
  outputs.every((value) => !value || facts.get(value)?.type.kind === 'tensor');

const computed = (made: Made): Rule => {
  const carriers = new Set(operatorsWith(isCarried));
  return {
    name: 'half precision in floats',
    roots: operatorsOnFloats(),
    propose(node, editor, build) {
      const { inputs, outputs } = node;
      if (!inputs.some((value) => isHalf(editor, value))) return undefined;
      if (subgraphsOf(node).length > 0 || !holdsTensors(node, editor)) return undefined;
      const areThere = inputs.some((value) => sourceOf(made, editor, value));
      if (isCarrying(editor.viewOf(node), carriers))
        return areThere && !extendsOutput(made, node, editor) ? onFloats(made, node, editor, build) : undefined;
      const parts = decompose(editor.viewOf(node));
      // Attention to stored keys and values of unknown size waits. Its decomposition will read them as stored, and widen the rest.
      if (!parts && !areThere && operatorOf(node).caches) return undefined;
      const areWide = parts?.some((part) => widens(part, node));
      if (!parts || !(areWide || parts.every((part) => mayCarry(operatorOf(part)))))
        return onFloats(made, node, editor, build);
      build.adopt(parts);
      if (areWide) for (const output of outputs) if (isHalf(editor, output)) made.add(output);
      return { replaces: outputs as Value[], covers: [node] };
    },
  };
};

const asTheyWere = (made: Made): Rule => ({
  name: 'floats as they were',
  roots: ['Cast'],
  propose(node, editor, build) {
    const floats = floatsOf(made, editor, build, castOf(node, 'float32'));
    return floats && { replaces: [floats], covers: [node] };
  },
});

/** Whether an operator only reshapes or transposes. */
const isView = ({ computes, readsBits }: AnyOperator): boolean =>
  !readsBits && (computes?.primitive.facts.isView === true || computes?.primitive === transpose);

/** Moves casts before reshapes and transpositions, because rules recognize products and attention by these. */
const widenedFirst: Rule = {
  name: 'halves widened before they are viewed',
  roots: ['Cast'],
  propose(node, editor, build) {
    const halves = castOf(node, 'float32');
    const view = halves && isHalf(editor, halves) ? editor.producerOf(halves) : undefined;
    if (!view || !isView(operatorOf(view))) return undefined;
    const [value, ...others] = view.inputs as [Value, ...Value[]];
    if (contentsOf(editor, value) || !isHalf(editor, value)) return undefined;
    return { replaces: build.repeat(view, [castTo(build, value, 'float32'), ...others]), covers: [node] };
  },
};

/**
 * Computes half precision in float32 throughout. Results are rounded only at outputs and before operators that accept nothing else, as in
 * onnxruntime's CPU provider.
 */
export function inFloats(): readonly Rule[] {
  const made: Made = new WeakSet();
  return [asTheyWere(made), computed(made), widenedFirst];
}

/** Returns whether a node of half-precision constants must not be folded, because these rules compute it in float32. */
export function isForFloats(): (view: NodeView) => boolean {
  const carriers = new Set(operatorsWith(mayCarry));
  const names = new Set(operatorsOnFloats().filter((name) => !carriers.has(name)));
  const elementOf = (value: Value, facts: Facts) => {
    const type = facts.get(value)?.type;
    return type?.kind === 'tensor' ? type.element : undefined;
  };
  return ({ node, facts }) =>
    names.has(node.domain ? `${node.domain}:${node.op}` : node.op) &&
    node.inputs.some((value) => value && HALVES.includes(elementOf(value, facts)));
}

/** Half-precision keys or values before they are widened, in the layout that kernels read from KV caches. */
function storedHalves(editor: GraphEditor, value: Value | null | undefined): Value | undefined {
  const halves = value ? castOf(editor.producerOf(value), 'float32') : undefined;
  const type = tensorTypeOf(editor, halves);
  const size = type?.element === 'float16' && type.dims?.length === 4 ? type.dims[3] : undefined;
  return typeof size === 'number' && isCacheRead(size) ? halves : undefined;
}

/** Attention reads half-precision keys and values, such as KV caches, as stored. */
export const attentionToHalves: Rule = {
  name: 'attention to halves',
  roots: ['sardonyx:Attention'],
  propose(node, editor, build) {
    const [q = null, ...others] = node.inputs;
    const [k, v] = others.slice(0, 2).map((value) => storedHalves(editor, value));
    if (!k || !v) return undefined;
    const inputs = [q, k, v, ...others.slice(2)];
    return { replaces: build.emit('sardonyx:CachedAttention', inputs, node.attributes), covers: [node] };
  },
};
