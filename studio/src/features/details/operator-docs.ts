/** A file in public/operators, written by tools/operator-docs.py: operators as documented by the ONNX and onnxruntime schemas. */
interface DocsFile {
  readonly source: string;
  readonly operators: Readonly<Record<string, readonly Version[]>>;
  readonly texts: readonly string[];
}

interface Version {
  readonly since: number;
  readonly deprecated?: boolean;
  readonly text: number;
  readonly attributes: Readonly<
    Record<string, readonly [kind: string, text: number, state?: string, fallback?: unknown]>
  >;
  readonly inputs: readonly Formal[];
  readonly outputs: readonly Formal[];
}

type Formal = readonly [name: string, type: string, option: 'single' | 'optional' | 'variadic', text: number];

export interface AttributeDocs {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly isRequired: boolean;
  /** The default as display text; undefined if the schema has none. */
  readonly fallback: string | undefined;
}

export interface OperandDocs {
  readonly name: string;
  readonly isVariadic: boolean;
  readonly text: string;
}

export interface OperatorDocs {
  readonly since: number;
  readonly isDeprecated: boolean;
  readonly text: string;
  readonly attributes: readonly AttributeDocs[];
  readonly inputs: readonly OperandDocs[];
  readonly outputs: readonly OperandDocs[];
  /** The source of the documentation. */
  readonly source: string;
}

const DOMAINS = new Set(['ai.onnx', 'ai.onnx.ml', 'ai.onnx.preview', 'ai.onnx.preview.training', 'com.microsoft']);

const loaded = new Map<string, Promise<DocsFile>>();

async function load(domain: string): Promise<DocsFile> {
  const response = await fetch(new URL(`operators/${domain}.json`, document.baseURI));
  if (!response.ok)
    throw new Error(`cannot load the documentation of ${domain}: the server returned ${response.status}`);
  return response.json() as Promise<DocsFile>;
}

/** The documentation of an operator in the version valid for an opset; undefined if there is none. */
export async function operatorDocs(domain: string, name: string, opset: number): Promise<OperatorDocs | undefined> {
  const key = domain || 'ai.onnx';
  if (!DOMAINS.has(key)) return undefined;
  const file = loaded.get(key) ?? load(key);
  loaded.set(key, file);
  const { operators, texts, source } = await file;
  const versions = Object.hasOwn(operators, name) ? operators[name] : undefined;
  const version = versions?.findLast(({ since }) => since <= opset);
  return version && docsOf(version, texts, source);
}

function docsOf(version: Version, texts: readonly string[], source: string): OperatorDocs {
  const text = (index: number) => texts[index] ?? '';
  const operands = (formals: readonly Formal[]) =>
    formals.map(([name, , option, index]) => ({ name, isVariadic: option === 'variadic', text: text(index) }));
  return {
    since: version.since,
    isDeprecated: version.deprecated ?? false,
    text: text(version.text),
    attributes: Object.entries(version.attributes).map(([name, [kind, index, state, fallback]]) => ({
      name,
      kind,
      text: text(index),
      isRequired: state === 'required',
      fallback: fallback === undefined ? undefined : Array.isArray(fallback) ? fallback.join(', ') : `${fallback}`,
    })),
    inputs: operands(version.inputs),
    outputs: operands(version.outputs),
    source,
  };
}

/** The documentation of operand `i`; a variadic last operand stands for all that follow. */
export function operandAt(formals: readonly OperandDocs[], i: number): OperandDocs | undefined {
  const last = formals.at(-1);
  return formals[i] ?? (last?.isVariadic ? last : undefined);
}
