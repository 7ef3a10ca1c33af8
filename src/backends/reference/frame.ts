import { account } from '../../account.js';
import { Facts } from '../../graph/facts.js';
import type { Value } from '../../graph/graph.js';
import { typeOf } from '../../graph/host-types.js';
import { tensorType, type ValueType } from '../../graph/types.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { declaredElement, narrowed, widened } from './precision.js';

/** Tensors up to this many elements may determine shapes, as scales of sizes do; their contents are facts, too. */
const MAX_SHAPING = 64;

const constants = new WeakMap<TensorValue, HostValue>();

/** A constant in double precision, converted once. */
function widenedConstant(constant: TensorValue): HostValue {
  const known = constants.get(constant);
  if (known !== undefined) return known;
  const wide = widened(constant);
  constants.set(constant, wide);
  return wide;
}

/** The values of a graph during a run, with facts about them as the model declares them and as they are held. */
export class Frame {
  readonly #values = new Map<Value, HostValue>();

  constructor(
    private readonly outer: Frame | null = null,
    readonly declared: Facts = outer ? outer.declared.fork() : new Facts(),
    readonly held: Facts = outer ? outer.held.fork() : new Facts(),
  ) {}

  /** An inner frame whose declared facts are those in double precision, too. */
  inDoubles(): Frame {
    return new Frame(this, this.held.fork(), this.held.fork());
  }

  /** Holds a value in double precision; the model declares it as `type`. */
  set(value: Value, given: HostValue, type?: ValueType | null): void {
    const held = widened(given, type ?? undefined);
    this.#values.set(value, held);
    account()?.replace(value, held);
    this.held.set(value, { type: typeOf(held, value), ...(isTensorValue(held) && { contents: held }) });
    if (!isTensorValue(held)) this.declared.set(value, { type: type ?? typeOf(narrowed(held), value) });
    else {
      const known = declaredElement(held) === held.type || elementCount(held.dims) <= MAX_SHAPING;
      const contents = known ? (narrowed(held) as TensorValue) : undefined;
      this.declared.set(value, { type: tensorType(declaredElement(held), held.dims), contents });
    }
  }

  get(value: Value): HostValue {
    const known = this.#find(value);
    if (known !== undefined) return known;
    if (!value.constant) throw new Error(`"${value.name}" has not been computed`);
    this.set(value, widenedConstant(value.constant));
    return this.#values.get(value) as HostValue;
  }

  #find(value: Value): HostValue | undefined {
    return this.#values.has(value) ? this.#values.get(value) : this.outer ? this.outer.#find(value) : undefined;
  }

  /** Releases a value that has no more readers. */
  drop(value: Value): void {
    if (!this.#values.delete(value)) return;
    account()?.giveBack(value);
    for (const facts of [this.declared, this.held]) {
      const type = facts.get(value)?.type;
      if (type) facts.set(value, { type });
    }
  }
}
