import type { Overlay, Remark } from './overlay.js';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Remarks in the JSON of other viewers: Netron's attachments and Model Explorer's node data; undefined for other JSON. Their colours are
 * ignored: the page's own are legible in every theme.
 */
export function overlayOf(text: string, name: string): Overlay | undefined {
  const data = parsed(text);
  const remarks = data && (attachment(data) ?? nodeData(data, name.replace(/\.json$/i, '')));
  return remarks && { name, remarks };
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;

/** The content of a table cell; other values as JSON. */
const factOf = (value: unknown): Remark['fact'] =>
  typeof value === 'number' || typeof value === 'string' ? value : JSON.stringify(value);

const KINDS: Readonly<Record<string, Remark['of']>> = {
  model: 'model',
  graph: 'model',
  node: 'node',
  value: 'value',
  tensor: 'value',
};

/** `{ signature, metadata, metrics }`, both lists of kind, target, name and value: https://github.com/lutzroeder/netron */
function attachment(data: Fields): Remark[] | undefined {
  if (data.signature !== 'netron:attachment') return undefined;
  return [data.metrics, data.metadata].flatMap((list) => (Array.isArray(list) ? list.flatMap(remarkOf) : []));
}

function remarkOf(item: unknown): Remark[] {
  const { kind, target, identifier, name, value } = fieldsOf(item) ?? {};
  const of = typeof kind === 'string' && Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (!of || typeof name !== 'string' || value === undefined) return [];
  return [{ of, key: `${target ?? identifier ?? ''}`, title: name, fact: factOf(value) }];
}

/** `{ results: { KEY: { value } } }`, or several of them by graph: https://github.com/google-ai-edge/model-explorer */
function nodeData(data: Fields, name: string): Remark[] | undefined {
  const whole = fieldsOf(data.results);
  if (whole) return resultsOf(whole, name);
  const graphs = Object.entries(data).flatMap(([graph, each]) => {
    const results = fieldsOf(fieldsOf(each)?.results);
    return results ? [[graph, results] as const] : [];
  });
  if (graphs.length === 0) return undefined;
  return graphs.flatMap(([graph, results]) => resultsOf(results, graphs.length === 1 ? name : graph));
}

const resultsOf = (results: Fields, title: string): Remark[] =>
  Object.entries(results).flatMap(([key, result]) => {
    const value = fieldsOf(result) ? fieldsOf(result)?.value : result;
    return value === undefined || value === null ? [] : [{ of: 'either' as const, key, title, fact: factOf(value) }];
  });
