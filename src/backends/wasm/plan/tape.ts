import type { Expression, Factor, Size } from '../../../graph/sizes.js';
import { termsIn } from '../../../graph/sizes.js';

/** Thrown if a node cannot be traced. */
export class Untraceable extends Error {}

export const untraceable = (): never => {
  throw new Untraceable();
};

enum Op {
  Add,
  Multiply,
  FloorDivide,
  CeilDivide,
  Minimum,
  Maximum,
  Call,
}

const OPS: Readonly<Record<string, Op>> = {
  '+': Op.Add,
  '*': Op.Multiply,
  '/': Op.FloorDivide,
  ceil: Op.CeilDivide,
  min: Op.Minimum,
  max: Op.Maximum,
};

/** A function without an opcode, and the slots of its arguments. */
interface Call {
  readonly of: Factor['of'];
  readonly args: readonly number[];
}

/** Sizes as code. Numbers, symbols and intermediate results have slots; an operation reads two and sets one. */
export class Tape {
  readonly values: number[] = [];
  /** Opcode, two operands and result. */
  readonly #code: number[] = [];
  readonly #calls: Call[] = [];
  readonly #numbers = new Map<number, number>();
  readonly #factors = new Map<Factor, number>();
  readonly #expressions = new Map<Expression, number>();
  readonly #symbols = new Set<number>();

  /** The slot of a symbol, with its value. */
  declare(symbol: Expression, value: number): number {
    const factor = termsIn(symbol)[0]?.factors[0] as Factor;
    const slot = this.#put(value);
    this.#symbols.add(slot);
    this.#factors.set(factor, slot);
    this.#expressions.set(symbol, slot);
    return slot;
  }

  /** The slot of a size whose symbols are all declared. */
  slotOf(size: Size): number {
    if (typeof size === 'number') return this.#numberSlot(size);
    const known = this.#expressions.get(size);
    if (known !== undefined) return known;
    const slot = termsIn(size)
      .map(({ coefficient, factors }) => this.#productOf(coefficient, factors))
      .reduce((a, b) => this.#compute(Op.Add, a, b));
    this.#expressions.set(size, slot);
    return slot;
  }

  /** Whether a slot holds a symbol, which is given rather than computed. */
  isSymbol(slot: number): boolean {
    return this.#symbols.has(slot);
  }

  valueOf(size: Size): number {
    return typeof size === 'number' ? size : (this.values[this.slotOf(size)] as number);
  }

  /** The current length of the code. */
  get end(): number {
    return this.#code.length;
  }

  /** Runs a range of the code. A single loop, because it runs cold, between kernels. */
  run(from: number, to: number): void {
    const { values } = this;
    const code = this.#code;
    for (let i = from; i < to; i += 4) {
      const [op, result] = [code[i], code[i + 3] as number];
      const x = values[code[i + 1] as number] as number;
      const y = values[code[i + 2] as number] as number;
      if (op === Op.Add) values[result] = x + y;
      else if (op === Op.Multiply) values[result] = x * y;
      else if (op === Op.FloorDivide) values[result] = Math.floor(x / y);
      else if (op === Op.CeilDivide) values[result] = Math.ceil(x / y);
      else if (op === Op.Minimum) values[result] = x < y ? x : y;
      else if (op === Op.Maximum) values[result] = x > y ? x : y;
      else values[result] = this.#call(code[i + 1] as number);
    }
  }

  #call(index: number): number {
    const { of, args } = this.#calls[index] as Call;
    return of(...args.map((slot) => this.values[slot] as number)) as number;
  }

  #productOf(coefficient: number, factors: readonly Factor[]): number {
    const slots = factors.map((factor) => this.#factorSlot(factor));
    if (coefficient !== 1 || slots.length === 0) slots.push(this.#numberSlot(coefficient));
    return slots.reduce((a, b) => this.#compute(Op.Multiply, a, b));
  }

  #factorSlot(factor: Factor): number {
    const known = this.#factors.get(factor);
    if (known !== undefined) return known;
    if (factor.args.length === 0) untraceable();
    const args = factor.args.map((arg) => this.slotOf(arg));
    const op = OPS[factor.name] ?? Op.Call;
    const slot =
      op === Op.Call
        ? this.#compute(op, this.#calls.push({ of: factor.of, args }) - 1, 0)
        : this.#compute(op, args[0] as number, args[1] as number);
    this.#factors.set(factor, slot);
    return slot;
  }

  #numberSlot(value: number): number {
    const slot = this.#numbers.get(value) ?? this.#put(value);
    this.#numbers.set(value, slot);
    return slot;
  }

  #compute(op: Op, a: number, b: number): number {
    const result = this.#put(0);
    const from = this.#code.push(op, a, b, result) - 4;
    this.run(from, from + 4);
    return result;
  }

  #put(value: number): number {
    return this.values.push(value) - 1;
  }
}
