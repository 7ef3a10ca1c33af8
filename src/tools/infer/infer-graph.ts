import { fold } from '../../analysis/fold.js';
import { SardonyxError } from '../../base/errors.js';
import { type Fact, Facts } from '../../graph/facts.js';
import type { Graph, Model, Node, Value } from '../../graph/graph.js';
import { formatType, tensorType, type ValueType } from '../../graph/types.js';
import { isGradient } from '../../optimize/gradient-node.js';
import { findOperator } from '../../schema/registry.js';
import type { Parameter } from '../../schema/signature.js';
import { ELEMENTS, type ElementType } from '../../tensor/element-types.js';
import { elementCount, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import type { Issue, IssueCode } from '../check/issue.js';
import { NEWEST } from '../schemas/domains.js';
import { InferenceView, type Types, Unknown } from './inference-view.js';
import { merged } from './merge.js';
import { rankBySizes } from './ranks.js';
import { refusal } from './refusals.js';
import type { WriteSize } from './symbols.js';
import { unheld } from './unheld.js';

/** Options and results of inferring a model. */
export interface Pass {
  /** Whether to compute the contents of shape tensors, too. The contents of constants are always known. */
  readonly dataPropagation: boolean;
  /** Whether to check input types against operator signatures. */
  readonly checkTypes: boolean;
  readonly write: WriteSize;
  /** Facts about the values of each graph. */
  readonly facts: Map<Graph, Facts>;
  readonly report: Reporter;
}

/** Reports an invalid node, or a contradiction with the model. */
export type Reporter = (
  error: SardonyxError,
  node: Node | undefined,
  code?: IssueCode,
  severity?: Issue['severity'],
) => void;

/**
 * Infers the main graph and its subgraphs. Errors are reported, the affected types stay open, and inference continues.
 */
export function inferGraph({ graph }: Model, pass: Pass): Facts {
  const facts = new Facts();
  pass.facts.set(graph, facts);
  for (const value of graph.inputs) declare(value, facts);
  for (const { name } of graph.inputs.filter((value) => !facts.has(value)))
    pass.report(new SardonyxError('INVALID_TYPE', 'the model does not declare its type', { value: name }), undefined);
  for (const node of graph.nodes) inferNode(node, facts, pass);
  return facts;
}

/** Treats the default of an input as its contents, but keeps the declared sizes. */
function declare(value: Value, facts: Facts): void {
  const { type, constant } = value;
  if (type) facts.set(value, { type, contents: constant });
}

const inferSubgraph =
  (pass: Pass) =>
  (graph: Graph, inputs: Types, facts: Facts): Types => {
    pass.facts.set(graph, facts);
    for (const [i, value] of graph.inputs.entries()) {
      const type = inputs[i];
      if (type && type !== value.type) settle(value, { type }, undefined, facts, pass);
      else declare(value, facts);
    }
    for (const node of graph.nodes) inferNode(node, facts, pass);
    return graph.outputs.map((value) => facts.get(value)?.type ?? null);
  };

/** Infers a node. Errors caused by sizes that ONNX's inference does not check are warnings. */
function inferNode(node: Node, facts: Facts, pass: Pass): void {
  const open = unheld(node, facts);
  const report: Reporter = (error, at, code) =>
    pass.report(error, at, code, open && isSoundWith(open, node, pass) ? 'warning' : 'error');
  inferWhole(node, facts, open ? { ...pass, report } : pass);
}

function isSoundWith(facts: Facts, node: Node, pass: Pass): boolean {
  let isSilent = true;
  const report = () => {
    isSilent = false;
  };
  inferWhole(node, facts, { ...pass, report });
  return isSilent;
}

function inferWhole(node: Node, facts: Facts, pass: Pass): void {
  const view = viewOf(node, facts, pass);
  const found = view ? factsFrom(view, pass) : [];
  for (const [i, value] of node.outputs.entries()) if (value) settle(value, found[i], node, facts, pass);
}

/** The view of a node; undefined if its operator is unknown. */
function viewOf(node: Node, facts: Facts, pass: Pass): InferenceView | undefined {
  if (isGradient(node) || isNothing(node)) return undefined;
  if (!findOperator(node.domain, node.op, node.opset ?? Number.POSITIVE_INFINITY)) {
    if (pass.checkTypes && NEWEST.has(node.domain)) pass.report(unknownOperator(node), node, 'UNKNOWN_OPERATOR');
    return undefined;
  }
  return attempt(node, pass, undefined, () => new InferenceView(node, facts, inferSubgraph(pass)));
}

/** Whether a function forwards an input that its call omits. */
const isNothing = ({ op, inputs }: Node): boolean => op === 'Identity' && inputs[0] === null;

const unknownOperator = ({ name, op, opset, domain }: Node) =>
  new SardonyxError('UNSUPPORTED_OPERATOR', `${domain || 'ai.onnx'} ${opset} has no operator ${op}`, {
    node: name,
    operator: op,
  });

function attempt<T>(node: Node, pass: Pass, otherwise: T, infer: () => T, code?: IssueCode): T {
  try {
    return infer();
  } catch (thrown) {
    if (thrown instanceof Unknown) return otherwise;
    if (!(thrown instanceof SardonyxError)) throw thrown;
    if (thrown.code !== 'EXTERNAL_DATA') pass.report(thrown, node, code);
    return otherwise;
  }
}

type Found = readonly (Fact | undefined)[];

function factsFrom(view: InferenceView, pass: Pass): Found {
  const { node } = view;
  const isSound = attempt(node, pass, false, () => isOfSignature(view, pass), 'TYPE_MISMATCH');
  const types = isSound ? attempt(node, pass, undefined, () => typesOf(view)) : undefined;
  if (!types) return signatureTypes(view);
  const facts = types.map((type): Fact | undefined => (type ? { type } : undefined));
  if (!pass.dataPropagation && node.inputs.length > 0) return facts;
  return attempt(node, pass, facts, () => withContents(view, facts));
}

/**
 * Checks required inputs and, with `checkTypes`, their types. The types of inputs whose contents are read are always
 * checked.
 */
function isOfSignature(view: InferenceView, { checkTypes }: Pass): true {
  view.check((i) => checkTypes || (view.operator.planned.includes(i) && view.hasContents(i)));
  return true;
}

function typesOf(view: InferenceView): Types {
  const complaint = refusal(view);
  if (complaint) view.fail('INVALID_VALUE', complaint);
  const types = view.outputTypes();
  requireOutputs(view, types.length);
  const [first, ...others] = types;
  const rank = first?.kind === 'tensor' && !first.dims ? rankBySizes(view) : undefined;
  const dims = rank === undefined ? undefined : Array.from({ length: rank }, () => view.unknown());
  return [first?.kind === 'tensor' && dims ? { ...first, dims } : (first ?? null), ...others];
}

/** Checks the number of variadic outputs, which subgraphs and sizes determine. */
function requireOutputs(view: InferenceView, count: number): void {
  const { node, operator } = view;
  if (!operator.signature.outputs.at(-1)?.variadic || node.outputs.length <= count) return;
  const missing = node.outputs[count]?.name;
  view.fail(
    'INVALID_GRAPH',
    `the node lists ${node.outputs.length} outputs but computes ${count}; "${missing}" is never computed`,
  );
}

/** The maximum number of elements in shape arithmetic. */
const MAX_ELEMENTS = 4096;

function withContents(view: InferenceView, facts: Found): Found {
  const sizes = view.operator.sizes?.(view);
  if (sizes?.some((size) => typeof size === 'number' && !Number.isSafeInteger(size)))
    view.fail('INVALID_VALUE', `the computed sizes [${sizes}] overflow 64 bits`);
  const { node } = view;
  const isSmall = node.inputs.every((_, i) => elementCount(view.contents(i)?.dims ?? []) <= MAX_ELEMENTS);
  const results = isSmall ? fold(view, () => MAX_ELEMENTS) : undefined;
  return facts.map((fact, i) => {
    const contents = results?.[i];
    if (isTensorValue(contents)) return constantFact(contents);
    return fact && i === 0 && sizes ? { ...fact, sizes } : fact;
  });
}

const constantFact = (contents: TensorValue): Fact => ({ type: tensorType(contents.type, contents.dims), contents });

/** The output types that the signature determines for all inputs. */
function signatureTypes({ node, operator }: InferenceView): Found {
  return node.outputs.map((_, i) => {
    const parameter = operator.signature.outputs[i];
    const type = parameter && alwaysOf(parameter, operator.types);
    return type && { type };
  });
}

function alwaysOf({ type, sequence }: Parameter, types: InferenceView['operator']['types']): ValueType | undefined {
  const [element, ...others] = types[type] ?? [type];
  if (others.length > 0 || !element || !Object.hasOwn(ELEMENTS, element)) return undefined;
  const tensor = tensorType(element as ElementType);
  return sequence ? { kind: 'sequence', of: tensor } : tensor;
}

/** Merges the inferred with the declared type of a value. */
function settle(value: Value, fact: Fact | undefined, node: Node | undefined, facts: Facts, pass: Pass): void {
  const declared = value.type;
  if (!fact || !declared) {
    const known = fact ?? (declared && { type: declared });
    if (known) facts.set(value, known);
    return;
  }
  const type = merged(declared, fact.type);
  if (!type) pass.report(contradiction(value, fact.type, declared, node), node);
  facts.set(value, type && !fact.contents ? { ...fact, type } : fact);
}

const contradiction = (value: Value, found: ValueType, declared: ValueType, node: Node | undefined) =>
  new SardonyxError('INVALID_TYPE', `inferred ${formatType(found)}, but declared as ${formatType(declared)}`, {
    ...(node && { node: node.name, operator: node.op }),
    value: value.name,
  });
