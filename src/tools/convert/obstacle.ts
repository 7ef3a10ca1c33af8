import { SardonyxError } from '../../base/errors.js';

/** A node that cannot be converted to the target opset. */
export interface Obstacle {
  /** The location of the node, such as `graph.node[3]`. */
  readonly path: string;
  /** The name of the node. */
  readonly node: string;
  /** The operator of the node. */
  readonly operator: string;
  /** The reason why the node cannot be converted. */
  readonly reason: string;
  /** The opset nearest to the target to which this node can be converted. */
  readonly reaches: number;
}

/** Thrown if some nodes of a model cannot be converted to an opset. */
export class ConversionError extends SardonyxError {
  constructor(
    /** All nodes that cannot be converted. */
    readonly obstacles: readonly [Obstacle, ...Obstacle[]],
    target: number,
    /** The opset nearest to the target to which all nodes can be converted. */
    readonly reachable: number,
  ) {
    const lines = obstacles.map(({ path, operator, reason }) => `${path} (${operator}): ${reason}`);
    const [{ node, operator }] = obstacles;
    super(
      'UNSUPPORTED_OPERATOR',
      `cannot convert to opset ${target}; the nearest possible opset is ${reachable}: ${lines.join('; ')}`,
      {
        operator,
        ...(node && { node }),
      },
    );
  }
}
