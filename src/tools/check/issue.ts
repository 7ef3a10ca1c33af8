/** What kind of rule a model breaks. */
export type IssueCode =
  /** A field that must be there is missing or empty. */
  | 'MISSING'
  /** An IR or opset version that does not exist, or that does not go with others. */
  | 'VERSION'
  /** Something that the model's IR version does not have yet. */
  | 'FEATURE'
  /** A name or key that is given twice where it may be once. */
  | 'DUPLICATE'
  /** A value that several nodes make. */
  | 'NOT_SSA'
  /** A name of a graph around that means something else here. */
  | 'SHADOWED'
  /** A name that stands for nothing. */
  | 'UNDEFINED'
  /** A node that stands before one it needs. */
  | 'NOT_SORTED'
  | 'UNKNOWN_DOMAIN'
  | 'UNKNOWN_OPERATOR'
  | 'DEPRECATED'
  /** Numbers of inputs or outputs. */
  | 'ARITY'
  | 'UNKNOWN_ATTRIBUTE'
  | 'ATTRIBUTE_TYPE'
  /** An attribute with several values, or none. */
  | 'ATTRIBUTE_VALUE'
  /** An attribute that refers to one of a call, where there is none. */
  | 'REFERENCE'
  /** A type that is none. */
  | 'TYPE'
  /** Types that an operator does not take, or that do not go together. */
  | 'TYPE_MISMATCH'
  | 'SHAPE'
  /** A tensor whose data do not go with its type and shape. */
  | 'TENSOR_DATA'
  | 'SPARSE_TENSOR'
  | 'EXTERNAL_DATA'
  | 'RECURSION'
  /** More levels than can be looked at. */
  | 'NESTING'
  | 'TRAINING'
  | 'DEVICE'
  /** What the rules of an operator's inference refuse. */
  | 'INFERENCE';

/** One violation of a rule of ONNX, and where it is. */
export interface Issue {
  /** What is a warning breaks no rule that ONNX's own checker has, or concerns nobody who runs the model. */
  readonly severity: 'error' | 'warning';
  readonly code: IssueCode;
  readonly message: string;
  /** The way through the file's messages: `graph.node[12].attribute.perm`. */
  readonly path: string;
  /** Name of the node, where it has one, and its operator. */
  readonly node?: string;
  readonly operator?: string;
  /** The value, tensor or attribute that it is about. */
  readonly value?: string;
  readonly hint?: string;
}

/** What has been found so far. */
export interface Report {
  readonly issues: Issue[];
  /** How many are kept. */
  readonly limit: number;
}

export const newReport = (limit: number): Report => ({ issues: [], limit });
