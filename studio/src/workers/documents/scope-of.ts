import type { NodeProto } from 'sardonyx/model';

/** A node's module path, and the classes of those modules if the exporter records them. */
export interface Scope {
  readonly path: string;
  readonly classes?: readonly string[];
}

const NOWHERE: Scope = { path: '' };
const NAME_SCOPES = 'pkg.torch.onnx.name_scopes';
const CLASSES = 'pkg.torch.onnx.class_hierarchy';
const NAMESPACE = 'namespace';

/** From the metadata of PyTorch's dynamo exporter, else from the node's name. */
export function scopeOf(node: NodeProto): Scope {
  return (node.metadataProps?.length ? scopeOfMetadata(node) : undefined) ?? scopeOfName(node.name);
}

/** `/encoder/layers/0/ln_1/Sub` and `encoder/layers/0/ln_1/Sub` lie in `encoder/layers/0/ln_1`. */
function scopeOfName(name: string): Scope {
  const end = name.lastIndexOf('/');
  if (end <= 0) return NOWHERE;
  const path = name.slice(name.startsWith('/') ? 1 : 0, end);
  return { path: EMPTY_PARTS.test(path) ? path.split('/').filter(Boolean).join('/') : path };
}

const EMPTY_PARTS = /^\/|\/\/|\/$/;

function scopeOfMetadata(node: NodeProto): Scope | undefined {
  const property = (key: string) => node.metadataProps.find((p) => p.key === key)?.value;
  const names = property(NAME_SCOPES);
  if (names !== undefined) return nested(pythonStrings(names), pythonStrings(property(CLASSES) ?? ''));
  const namespace = property(NAMESPACE);
  if (namespace === undefined) return undefined;
  const parts = namespace.split('/').map((part) => part.split(/: ?/));
  return nested(
    parts.map(([name = '']) => name),
    parts.map(([, type = '']) => type),
  );
}

/** `['', 'blocks.2', 'blocks.2.mlp', 'linear_8']` is `blocks.2/mlp`: drops the node's own name (the last) and repeated prefixes. */
function nested(names: readonly string[], types: readonly string[]): Scope {
  const path: string[] = [];
  const classes: string[] = [];
  let before = '';
  for (let i = 0; i < names.length - 1; i++) {
    const name = names[i] ?? '';
    if (name === '' || name === before) continue;
    path.push(segment(before !== '' && name.startsWith(`${before}.`) ? name.slice(before.length + 1) : name));
    classes.push(lastWord(types[i] ?? ''));
    before = name;
  }
  return { path: path.join('/'), classes };
}

const segment = (name: string): string => name.replaceAll('/', '.');
const lastWord = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

/** The strings of a Python list in `repr` format. */
function pythonStrings(list: string): string[] {
  const strings = list.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g);
  return [...strings].map(([, single, double]) => (single ?? double ?? '').replace(/\\(.)/g, '$1'));
}
