import type { GraphProto } from '../../../build/onnx.js';
import type { SardonyxError } from '../../base/errors.js';
import type { Facts } from '../../graph/facts.js';
import type { Graph } from '../../graph/graph.js';
import type { Issue, IssueCode } from '../check/issue.js';
import { inferGraph, type Reporter } from './infer-graph.js';
import { type Layout, pathOf } from './layout.js';
import { openProto, type Source } from './open-proto.js';
import { sizeWriter, type WriteSize } from './symbols.js';
import { symbolsIn } from './types-in.js';

/** Facts about all values of a model, and the issues found. */
export interface Inferred {
  readonly layout: Layout;
  readonly facts: ReadonlyMap<Graph, Facts>;
  readonly write: WriteSize;
  readonly issues: readonly Issue[];
}

export interface Inference {
  readonly dataPropagation?: boolean | undefined;
  readonly checkTypes?: boolean | undefined;
}

/** Infers a model with inlined functions. Throws if the model cannot be read. */
export async function inferModel(source: Source, options: Inference = {}): Promise<Inferred> {
  const issues = new Map<string, Issue>();
  const keep = (issue: Issue) => issues.set(JSON.stringify(issue), issue);
  const { model, layout } = await openProto(source, (error) => keep(issueOf(error, 'graph')));
  const report: Reporter = (error, node, code, severity) =>
    keep({ ...issueOf(error, pathOf(node, layout), code), ...(severity && { severity }) });
  const facts = new Map<Graph, Facts>();
  const write = sizeWriter(symbolsIn(source.proto.graph as GraphProto));
  const { dataPropagation = true, checkTypes = true } = options;
  inferGraph(model, { dataPropagation, checkTypes, facts, write, report });
  return { layout, facts, write, issues: [...issues.values()] };
}

/** Converts an error of an inference rule to an issue. */
export function issueOf({ complaint, place }: SardonyxError, path: string, code: IssueCode = 'INFERENCE'): Issue {
  const { node, operator, value } = place;
  return {
    severity: 'error',
    code,
    message: complaint,
    path,
    ...(node && { node }),
    ...(operator && { operator }),
    ...(value && { value }),
  };
}
