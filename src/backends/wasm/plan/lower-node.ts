import type { Engine } from '../../../../bindings/engine.js';
import type { Fields, KernelName, KernelParams } from '../../../../bindings/parameters.js';
import type { Place } from '../../../../bindings/place.js';
import { account } from '../../../account.js';
import { bitOf, EVERYTHING, NodeView } from '../../../analysis/node-view.js';
import { onBehalfOf, SardonyxError } from '../../../base/errors.js';
import { capturesOf, subgraphsOf } from '../../../graph/captures.js';
import type { Facts } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { isAtMost } from '../../../graph/guards.js';
import type { Size } from '../../../graph/sizes.js';
import { formatType, type ValueType } from '../../../graph/types.js';
import type { AnyOperator } from '../../../schema/definition.js';
import { operatorOf } from '../../../schema/registry.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { StoredTensor } from '../../../tensor/stored-tensor.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import type { Effects, Lower, Lowering, Made } from '../lowering.js';
import { loweringOf } from '../lowerings.js';
import { bytesOf, type Draft, weightsFor } from './draft.js';
import { bufferOf, type Contents, fixed, shifted } from './places.js';
import type { Guard, HostCall, HostSide, Resident, Source } from './stage.js';

/**
 * Lowers a node to launches, or to a host call. Returns the bit mask of inputs whose contents the result depends on.
 */
export function lowerNode(draft: Draft, facts: Facts, node: Node, host: HostSide): number {
  const operator = operatorOf(node);
  const onHost = node.outputs.some((value) => value && !isPlanned(value, facts, host));
  const lower = onHost ? undefined : loweringOf(operator);
  if (lower) {
    const view = new LoweringView(node, facts, draft);
    if (lowerBy(lower, view) !== 'host') return view.dependsOnAll ? EVERYTHING : view.looked;
  }
  if (!operator.evaluate && !operator.iterate) throw unsupported(node, operator, facts);
  draft.call(hostCall(draft, facts, node, host));
  return EVERYTHING;
}

function lowerBy(lower: Lower, view: LoweringView): 'host' | undefined {
  const { node, facts, operator } = view;
  return onBehalfOf(node, () => {
    account()?.demandAlone(resultBytes(facts, node), 'its results');
    const parameters = operator.computes?.parameters(view);
    return parameters === undefined ? 'host' : lower(view, parameters);
  });
}

const resultBytes = (facts: Facts, node: Node) =>
  node.outputs.reduce((sum, value) => sum + (value ? bytesOf(value, facts) : 0), 0);

function unsupported(node: Node, operator: AnyOperator, facts: Facts): SardonyxError {
  const types = node.inputs.map((value) => (value ? formatType(facts.get(value)?.type) : 'none')).join(', ');
  return new SardonyxError('UNSUPPORTED_TYPE', `cannot run on (${types})`, {
    node: node.name,
    operator: operator.name,
  });
}

function hostCall(draft: Draft, facts: Facts, node: Node, host: HostSide): HostCall {
  const sourceOf = (value: Value) => locate(draft, facts, host.values, value);
  const inputs = node.inputs.map((value) => value && sourceOf(value));
  const captures = new Set(subgraphsOf(node).flatMap(capturesOf));
  const captured = [...captures].map((value) => ({ value, source: sourceOf(value) }));
  const outputs = node.outputs.map((value) => {
    if (!value) return null;
    if (isPlanned(value, facts, host)) return resident(draft, facts, value);
    host.values.add(value);
    return { kind: 'host' as const, value };
  });
  return { view: new NodeView(node, facts), inputs, captured, outputs };
}

const isPlanned = (value: Value, facts: Facts, { dynamic }: HostSide) =>
  !dynamic.has(value) && isResident(facts.get(value)?.type);

/** Whether linear memory can hold a value of this type. */
export const isResident = (type: ValueType | undefined): boolean =>
  type?.kind === 'tensor' && type.element !== 'string';

/** Where the host reads `value`. */
export function locate(draft: Draft, facts: Facts, onHost: ReadonlySet<Value>, value: Value): Source {
  const fact = facts.get(value);
  if (fact?.contents) return { kind: 'contents', contents: fact.contents };
  return onHost.has(value) ? { kind: 'host', value } : resident(draft, facts, value);
}

export function resident(draft: Draft, facts: Facts, value: Value): Resident {
  const type = facts.get(value)?.type;
  if (type?.kind !== 'tensor') throw new Error(`"${value.name}" is not a tensor`);
  return { kind: 'memory', type: type.element, dims: type.dims as number[], place: draft.placeOf(value, facts) };
}

type Packing = Parameters<Lowering['packed']> extends [number, ...infer Rest] ? Rest : never;

/** A node with the means to emit launches. */
class LoweringView extends NodeView implements Lowering<Record<string, unknown>> {
  /** Whether it depends on more than the contents that were read. */
  dependsOnAll = false;

  constructor(
    node: Node,
    facts: Facts,
    private readonly draft: Draft,
  ) {
    super(node, facts);
  }

  get engine(): Engine {
    return this.draft.engine;
  }

  shape(i: number): readonly number[] {
    return this.dims(i) as readonly number[];
  }

  outputShape(i: number): readonly number[] {
    return this.#outputType(i).dims as readonly number[];
  }

  outputElement(i: number): ElementType {
    return this.#outputType(i).element;
  }

  input(i: number): Place {
    this.element(i);
    return this.draft.placeOf(this.operand(i), this.facts) as Place;
  }

  output(i: number): Place {
    return this.draft.placeOf(this.#outputValue(i), this.facts) as Place;
  }

  isConstant(i: number): boolean {
    const { contents, isOfSizes } = this.facts.get(this.operand(i)) ?? {};
    return contents !== undefined && !isOfSizes;
  }

  pitch(i: number): number | undefined {
    return bufferOf(this.input(i))?.slot?.pitch;
  }

  outputPitch(i: number): number | undefined {
    return bufferOf(this.output(i))?.slot?.pitch;
  }

  temporary(bytes: Size): Place {
    return this.draft.temporary(bytes);
  }

  at(place: Place, bytes: Size): Place {
    return shifted(place, bytes);
  }

  table(contents: Contents): Place {
    return this.draft.table(contents);
  }

  packed(i: number, ...packing: Packing): Place {
    const constant = this.#constant(i) ?? this.fail('INVALID_GRAPH', `input ${i} is not constant`);
    return fixed(weightsFor(this.draft, constant).packed(this.node, constant, ...packing));
  }

  kept(i: number): StoredTensor | undefined {
    const constant = this.#constant(i);
    return constant instanceof StoredTensor ? constant.kept : undefined;
  }

  #constant(i: number): TensorValue | undefined {
    this.looked |= bitOf(i);
    return this.facts.get(this.operand(i))?.contents;
  }

  made<F>(source: object, form: string, make: () => Made<F>): { place: Place; facts: F } {
    this.dependsOnAll = true;
    const { address, facts } = this.draft.weights.made(source, form, make);
    return { place: fixed(address), facts };
  }

  guard(i: number, complaint: Guard['complaint'], sizes: readonly Size[] = []): Place {
    this.dependsOnAll = true;
    const word = this.draft.table(Int32Array.of(0));
    const source = { kind: 'memory', type: this.element(i), dims: this.shape(i), place: this.input(i) } as const;
    this.draft.guard({ word, node: this.node, source, complaint, sizes: sizes as number[] });
    return word;
  }

  choose<T>(name: string, decide: () => T): T {
    this.dependsOnAll = true;
    return this.draft.weights.choose(this.node, name, decide);
  }

  alias(i: number, j: number, bytes: Size = 0): void {
    const output = this.node.outputs[i];
    if (output) this.draft.alias(output, shifted(this.input(j), bytes));
  }

  launch<K extends KernelName>(kernel: K, params: Fields<KernelParams[K]>, tiles: Size, effects: Effects): void {
    if (isAtMost(tiles, 0)) return;
    const { writes, inPlace = [], phase = 0 } = effects;
    this.draft.launch({ kernel, params, tiles, phase, writes, node: this.node, inPlace });
  }

  #outputValue(i: number): Value {
    return this.node.outputs[i] ?? this.fail('INVALID_GRAPH', `its output ${i} is not there`);
  }

  #outputType(i: number) {
    const type = this.facts.get(this.#outputValue(i))?.type;
    if (type?.kind !== 'tensor') return this.fail('INVALID_TYPE', `output ${i} is not a tensor`);
    return type;
  }
}
