import { SardonyxError } from '../../base/errors.js';

/** A node that does not go where the model should. */
export interface Obstacle {
  /** Where it is: `graph.node[3]`. */
  readonly path: string;
  readonly node: string;
  readonly operator: string;
  readonly reason: string;
  /** The opset up to which it goes. */
  readonly reaches: number;
}

/** All nodes that keep a model from another opset, and how far it can go. */
export class ConversionError extends SardonyxError {
  constructor(
    readonly obstacles: readonly [Obstacle, ...Obstacle[]],
    target: number,
    /** The opset next to the target that all nodes reach. */
    readonly reachable: number,
  ) {
    const lines = obstacles.map(({ path, operator, reason }) => `${path} (${operator}): ${reason}`);
    const [{ node, operator }] = obstacles;
    super('UNSUPPORTED_OPERATOR', `opset ${target} is out of reach, ${reachable} is the nearest: ${lines.join('; ')}`, {
      operator,
      ...(node && { node }),
    });
  }
}
