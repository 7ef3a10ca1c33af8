/** The kind of rule that a model violates. */
export type IssueCode =
  /** A required field is missing or empty. */
  | 'MISSING'
  /** An IR or opset version does not exist or is incompatible with others. */
  | 'VERSION'
  /** A feature needs a newer IR version. */
  | 'FEATURE'
  /** A name or key is used twice. */
  | 'DUPLICATE'
  /** Several nodes produce the same value. */
  | 'NOT_SSA'
  /** A name hides a value of an outer graph. */
  | 'SHADOWED'
  /** A name refers to nothing. */
  | 'UNDEFINED'
  /** A node comes before a node that it depends on. */
  | 'NOT_SORTED'
  | 'UNKNOWN_DOMAIN'
  | 'UNKNOWN_OPERATOR'
  | 'DEPRECATED'
  /** A node has the wrong number of inputs or outputs. */
  | 'ARITY'
  | 'UNKNOWN_ATTRIBUTE'
  | 'ATTRIBUTE_TYPE'
  /** An attribute has several values or none. */
  | 'ATTRIBUTE_VALUE'
  /** An attribute refers to an attribute of a call that does not exist. */
  | 'REFERENCE'
  /** A type is invalid. */
  | 'TYPE'
  /** An operator does not support a type or a combination of types. */
  | 'TYPE_MISMATCH'
  | 'SHAPE'
  /** The data of a tensor does not match its type and shape. */
  | 'TENSOR_DATA'
  | 'SPARSE_TENSOR'
  | 'EXTERNAL_DATA'
  | 'RECURSION'
  /** Too many nested levels. */
  | 'NESTING'
  | 'TRAINING'
  | 'DEVICE'
  /** Shape inference of an operator fails. */
  | 'INFERENCE';

/** A violation of an ONNX rule and its location. */
export interface Issue {
  /**
   * `error` for violations. A `warning` marks something that ONNX's own checker accepts or that does not affect running
   * the model.
   */
  readonly severity: 'error' | 'warning';
  /** The kind of the violated rule. */
  readonly code: IssueCode;
  /** Describes the problem. */
  readonly message: string;
  /** The location within the model's protobuf messages, such as `graph.node[12].attribute.perm`. */
  readonly path: string;
  /** The name of the node, if it has one. */
  readonly node?: string;
  /** The operator of the node, such as `Conv` or `com.microsoft.Gelu`. */
  readonly operator?: string;
  /** The value, tensor or attribute that the issue is about. */
  readonly value?: string;
  /** Suggests a fix. */
  readonly hint?: string;
}

/** The findings so far. */
export interface Report {
  readonly issues: Issue[];
  /** The maximum number of findings to keep. */
  readonly limit: number;
}

export const newReport = (limit: number): Report => ({ issues: [], limit });
