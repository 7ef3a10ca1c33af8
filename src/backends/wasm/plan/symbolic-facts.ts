import { NodeView } from '../../../analysis/node-view.js';
import { subgraphsOf } from '../../../graph/captures.js';
import { type Facts, sizesOf } from '../../../graph/facts.js';
import type { Node, Value } from '../../../graph/graph.js';
import { type Expression, formatSize, freshSymbol, hasUnnamed, isKnown, type Size } from '../../../graph/sizes.js';
import { type TensorType, tensorType, type ValueType } from '../../../graph/types.js';
import { operatorOf } from '../../../schema/registry.js';
import type { TensorValue } from '../../../tensor/tensor-value.js';
import { sameItems } from './equality.js';
import type { Finding, Outcome } from './specialize.js';
import type { Given, Stage } from './stage.js';
import { Untraceable, untraceable } from './tape.js';
import type { Bound, NumericFinding, TracedInput, TracedValue, TraceLog } from './traced.js';

type KnownType = Pick<TensorType, 'element'> & { readonly dims: readonly number[] };

/** Smaller input sizes do not become symbols: 1 broadcasts, and 0 leaves nothing to run. */
export const LEAST_SYMBOL = 2;

const nameOfSize = ({ name }: Value, axis: number) => `${name}[${axis}]`;
const nameOfNumber = ({ name }: Value, i: number) => `${name}(${i})`;

/** The names of sizes and contents from outside that differ from those that a stage was planned for. */
export function namesOfVarying({ blueprint: { start } }: Stage, given: Given): string[] {
  return start.given.flatMap((value) => {
    const { type, contents } = start.facts.get(value) ?? {};
    const now = given(value);
    if (type?.kind !== 'tensor' || !now) return [];
    const differing = (before: readonly unknown[], after: readonly number[]) =>
      after.flatMap((number, i) => (number === before[i] ? [] : [i]));
    const numbers = contents && now.data ? [sizesOf(contents), sizesOf(now as TensorValue)] : [];
    return [
      ...differing(type.dims ?? [], now.dims).map((axis) => nameOfSize(value, axis)),
      ...differing(numbers[0] ?? [], numbers[1] ?? []).map((i) => nameOfNumber(value, i)),
    ];
  });
}

/** Facts about a stage with symbols for its open sizes. */
export class SymbolicFacts {
  readonly facts: Facts;
  readonly symbols = new Map<string, { readonly symbol: Expression; readonly now: number }>();
  readonly inputs: TracedInput[] = [];
  readonly numeric: NumericFinding[] = [];
  /** The values whose sizes or contents depend on symbols. */
  readonly values = new Map<Value, TracedValue>();

  constructor(
    private readonly log: TraceLog,
    private readonly stage: Stage,
  ) {
    this.facts = stage.blueprint.start.facts.fork();
  }

  /** Assigns symbols to open sizes; false if there are none. Equal sizes of the same declared name share a symbol. */
  declareInputs(varied: ReadonlySet<string> | null): boolean {
    for (const value of this.stage.blueprint.start.given) this.#declare(value, varied);
    return this.symbols.size > 0;
  }

  #declare(value: Value, varied: ReadonlySet<string> | null): void {
    const { type, contents } = this.#before(value);
    const { element } = type;
    const numbers = contents && sizesOf(contents);
    const dims = type.dims.map((size, axis): Size => {
      const name = varied ? nameOfSize(value, axis) : openName(value, axis);
      const isOpen = !contents && size >= LEAST_SYMBOL && name !== null && varied?.has(name) !== false;
      return isOpen ? this.#symbol(name, LEAST_SYMBOL, size) : size;
    });
    const sizes = numbers?.map((number, i): Size => {
      const name = nameOfNumber(value, i);
      return varied?.has(name) ? this.#symbol(name, Number.NEGATIVE_INFINITY, number) : number;
    });
    const bound = (size: Size): Bound => (typeof size === 'number' ? { size } : { slot: this.log.tape.slotOf(size) });
    const known = sizes?.map(bound) ?? contents ?? null;
    this.inputs.push({ value, element, dims: dims.map(bound), contents: known });
    if (!contents || sizes) this.#learn(value, tensorType(element, dims), sizes);
  }

  #symbol(name: string, least: number, now: number): Expression {
    const key = `${name} ${now}`;
    const known = this.symbols.get(key);
    if (known) return known.symbol;
    const symbol = freshSymbol(name, least);
    this.symbols.set(key, { symbol, now });
    this.log.tape.declare(symbol, now);
    return symbol;
  }

  /** Traces the outcome for a node; a finding that cannot be traced is repeated for other sizes. */
  find(finding: Finding): void {
    const { node, operands, outcome } = finding;
    if (outcome.kind === 'deferred' || !operands.some((value) => this.values.has(value))) return;
    const isBySize = outcome.kind !== 'parts' && subgraphsOf(node).length === 0 && dynamicIn(outcome).length === 0;
    const guards = isBySize ? this.log.attempt(() => this.#infer(finding)) : undefined;
    if (guards) this.log.guards.push(...guards);
    else this.#findByNumbers(finding);
  }

  #infer({ node, outcome }: Finding): void {
    const view = new NodeView(node, this.facts);
    const { operator } = view;
    if (!operator.guarded) untraceable();
    const isFolded = outcome.kind === 'folded';
    const types = isFolded ? operator.infer(view) : view.outputTypes();
    const sizes = isFolded ? (operator.sizes?.(view) ?? untraceable()) : undefined;
    const learned = node.outputs.flatMap((value, i) => (value ? [[value, types[i]] as const] : []));
    for (const [value, type] of learned) this.#check(value, type ?? undefined, sizes);
    for (const [value, type] of learned) this.#learn(value, type as TensorType, sizes);
  }

  /** Checks that sizes evaluate to those of the stage. */
  #check(value: Value, type: ValueType | undefined, sizes: readonly Size[] | undefined): void {
    const before = this.#before(value);
    if (type?.kind !== 'tensor' || !type.dims || type.element !== before.type.element) throw new Untraceable();
    if ([...type.dims, ...(sizes ?? [])].some(hasUnnamed)) untraceable();
    const numbers = before.contents && sizesOf(before.contents);
    if (!this.#areNow(type.dims, before.type.dims) || !sizes !== !before.contents) untraceable();
    if (sizes && !this.#areNow(sizes, numbers ?? [])) untraceable();
  }

  /** Whether sizes evaluate to these numbers in the traced stage. */
  #areNow(sizes: readonly Size[], numbers: readonly number[]): boolean {
    return sameItems(
      sizes.map((size) => this.log.valueOf(size)),
      numbers,
    );
  }

  #before(value: Value): { readonly type: KnownType; readonly contents: TensorValue | undefined } {
    const { type, contents } = this.stage.blueprint.start.facts.get(value) ?? {};
    return type?.kind === 'tensor' ? { type: type as KnownType, contents } : untraceable();
  }

  #learn(value: Value, type: TensorType, sizes: readonly Size[] | undefined): void {
    const { contents } = this.#before(value);
    const dims = type.dims as readonly Size[];
    if (isKnown(dims) && (!contents || (sizes && isKnown(sizes)))) return;
    this.values.set(value, {
      element: type.element,
      dims: this.log.slotsOf(dims),
      contents: contents ? (sizes ? this.log.slotsOf(sizes) : 'made') : null,
    });
    this.facts.set(value, { type, sizes, contents: contents && unreadable(type), isOfSizes: true });
  }

  #findByNumbers(finding: Finding): void {
    const { operands, outcome } = finding;
    const reads = new Set(operands.flatMap((value) => this.#slotsOf(value)));
    const learned = outcome.kind === 'parts' ? 0 : this.#learnByNumbers(finding);
    const isInferred = outcome.kind === 'folded' && learned === 0;
    // The finding runs after the sizes of its outputs, and sets its symbols before they are read.
    this.numeric.push({ finding, at: this.log.tape.end, reads: [...reads], isInferred });
  }

  /** Learns the outputs of a node whose finding is repeated; returns how many have symbols of their own. */
  #learnByNumbers({ node, outcome }: Finding): number {
    const types = this.#typesOf(node);
    const { guarded } = operatorOf(node);
    let symbols = 0;
    node.outputs.forEach((value, i) => {
      if (!value || dynamicIn(outcome).includes(value)) return;
      if (!(guarded && this.#learnContents(value, types[i]))) {
        this.#learnSymbols(value, types[i]);
        symbols++;
      }
    });
    return symbols;
  }

  /** Slots of a value; for contents that a finding computes, the slots that these depend on. */
  #slotsOf(value: Value): readonly number[] {
    const { dims = [], contents } = this.values.get(value) ?? {};
    const own = this.numeric.find(({ finding }) => finding.node.outputs.includes(value));
    return [...dims, ...(contents === 'made' ? (own?.reads ?? []) : (contents ?? []))];
  }

  /** Types by the operator's rule. If it is not guarded, the finding checks them again. */
  #typesOf(node: Node): readonly (ValueType | null)[] {
    let types: readonly (ValueType | null)[] = [];
    const guards = this.log.attempt(() => {
      types = operatorOf(node).infer(new NodeView(node, this.facts));
    });
    if (operatorOf(node).guarded) this.log.guards.push(...(guards ?? []));
    return guards ? types : [];
  }

  /** Records inferred dims of a value whose contents a finding computes; false if the dims are not expressions. */
  #learnContents(value: Value, type: ValueType | null | undefined): boolean {
    if (type?.kind !== 'tensor' || !type.dims || isKnown(type.dims) || type.dims.some(hasUnnamed)) return false;
    if (!this.#areNow(type.dims, this.#before(value).type.dims)) return false;
    this.#learn(value, type, undefined);
    return true;
  }

  /** Makes symbols of the sizes that a finding computes, and of the integers if their number is known. */
  #learnSymbols(value: Value, inferred: ValueType | null | undefined): void {
    const { type, contents } = this.#before(value);
    const known = inferred?.kind === 'tensor' ? inferred.dims : undefined;
    const symbolOf = (name: string, least: number, now: number) => {
      const made = freshSymbol(name, least);
      this.log.tape.declare(made, now);
      return made;
    };
    const dims = type.dims.map((size, axis) =>
      known?.[axis] === size ? size : symbolOf(`${value.name}[${axis}]`, 0, size),
    );
    const numbers = contents && known && isKnown(known) ? sizesOf(contents) : undefined;
    const sizes = numbers?.map((now, i) => symbolOf(`${value.name}(${i})`, Number.NEGATIVE_INFINITY, now));
    this.#learn(value, tensorType(type.element, dims), sizes);
  }
}

const dynamicIn = (outcome: Outcome): readonly Value[] => (outcome.kind === 'runnable' ? outcome.dynamic : []);

/** The declared name of a size, or its position if it has none; null if the declaration fixes it. */
function openName(value: Value, axis: number): string | null {
  const size = value.type?.kind === 'tensor' ? value.type.dims?.[axis] : undefined;
  if (typeof size === 'number') return null;
  return size !== undefined && !hasUnnamed(size) ? formatSize(size) : nameOfSize(value, axis);
}

/** Contents that depend on symbols; a node that reads them is not traced. */
const unreadable = ({ element, dims }: TensorType): TensorValue =>
  ({
    type: element,
    dims,
    get data() {
      return untraceable();
    },
  }) as unknown as TensorValue;
