import type { AttributeProto, NodeProto } from '../../../build/onnx.js';
import { annotate } from './annotations.js';
import { type ParseGraph, parseAttribute } from './parse-attributes.js';
import type { Scanner } from './scanner.js';

type Attribute = AttributeProto.$Properties;
type Node = NodeProto.$Properties;

/** `[name] y1, y2 = domain.Op:overload <attributes> (x1, "", x2)`, or the attributes last. */
export function parseNode(scanner: Scanner, graph: ParseGraph): Node {
  const node: Node = { ...label(scanner), output: idList(scanner) };
  scanner.expect('=', 'after the outputs of a node');
  Object.assign(node, operator(scanner));
  const attribute = attributes(scanner, graph);
  scanner.expect('(', 'before the inputs of a node');
  node.input = idList(scanner);
  scanner.expect(')', 'after the inputs of a node');
  node.attribute = attribute.length > 0 ? attribute : attributes(scanner, graph);
  return annotate(scanner, node);
}

function label(scanner: Scanner): Node {
  if (!scanner.takes('[')) return {};
  const name = scanner.optionalName() ?? '';
  scanner.expect(']', 'after the name of a node');
  return { name };
}

function operator(scanner: Scanner): Node {
  const parts = [scanner.identifier('an operator')];
  while (scanner.takes('.')) parts.push(scanner.identifier('a name after "."'));
  const opType = parts.pop() as string;
  const domain = parts.join('.');
  const overload = scanner.takes(':') ? { overload: scanner.identifier('the name of an overload') } : {};
  return { opType, ...((domain || !scanner.isLossless) && { domain }), ...overload };
}

/** Parses optional names: `(,x)` has two, `("")` one, `(x,)` one. */
export function idList(scanner: Scanner): string[] {
  const ids: string[] = [];
  do {
    const id = scanner.optionalName();
    if (id === undefined && scanner.peek() !== ',') break;
    ids.push(id ?? '');
  } while (scanner.takes(','));
  return ids;
}

function attributes(scanner: Scanner, graph: ParseGraph): Attribute[] {
  const found: Attribute[] = [];
  if (!scanner.takes('<')) return found;
  do found.push(parseAttribute(scanner, scanner.identifier('the name of an attribute'), graph));
  while (scanner.takes(','));
  scanner.expect('>', 'after the attributes');
  return found;
}
