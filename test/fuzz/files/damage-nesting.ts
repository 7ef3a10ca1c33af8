import type { TreeDamage } from './damage-fields.js';
import { oneOf } from './damage-fields.js';
import type { Random } from './random.js';
import {
  contentsOf,
  delimited,
  type Field,
  idOf,
  joined,
  type Message,
  numberField,
  textField,
  varintBytes,
} from './wire.js';

const id = idOf;

/** How deep; the deepest are more than any stack takes. */
const DEPTHS = [2, 10, 30, 60, 100, 300, 1000, 3000];

/** A message in a message in a message: each level is what stands before the next, and the number of the field that holds it. */
function nested(levels: readonly (readonly [before: Uint8Array, id: number])[], core: Uint8Array): Uint8Array {
  const parts = [core];
  let size = core.length;
  for (const [before, id] of levels.toReversed()) {
    const head = joined([before, varintBytes((BigInt(id) << 3n) | 2n), varintBytes(BigInt(size))]);
    parts.push(head);
    size += head.length;
  }
  return joined(parts.reverse());
}

const NOTHING = new Uint8Array();

const repeated = <T>(depth: number, levels: readonly T[]): T[] => new Array<readonly T[]>(depth).fill(levels).flat();

const bytes = (type: string, fields: readonly Field[]) => contentsOf({ type, fields: [...fields] });

const words = (type: string, entries: Readonly<Record<string, string>>) =>
  Object.entries(entries).map(([name, word]) => textField(id(type, name), word));

const node = (op: string, input: readonly string[], output: string, domain = ''): Message => ({
  type: 'NodeProto',
  fields: [
    ...input.map((name) => textField(id('NodeProto', 'input'), name)),
    ...words('NodeProto', { output, opType: op, domain }),
  ],
});

const asField = (fieldId: number, message: Message): Field => ({ id: fieldId, wire: 2, message });

/** An If whose branches hold an If, and so on. */
function branches(depth: number): Uint8Array {
  const inner = asField(id('GraphProto', 'node'), {
    type: 'NodeProto',
    fields: words('NodeProto', { output: 'o', opType: 'Constant' }),
  });
  const leaf = bytes('GraphProto', [inner, asField(id('GraphProto', 'output'), info('o'))]);
  const small = { id: id('AttributeProto', 'g'), wire: 2, bytes: leaf } as const;
  const type = numberField(id('AttributeProto', 'type'), 5);
  const elseBranch: Message = {
    type: 'AttributeProto',
    fields: [...words('AttributeProto', { name: 'else_branch' }), type, small],
  };
  const before = bytes('NodeProto', [
    ...words('NodeProto', { input: 'fuzz_condition', output: 'o', opType: 'If' }),
    asField(id('NodeProto', 'attribute'), elseBranch),
  ]);
  const name = bytes('AttributeProto', [...words('AttributeProto', { name: 'then_branch' }), type]);
  const output = bytes('GraphProto', [asField(id('GraphProto', 'output'), info('o'))]);
  const level = [
    [output, id('GraphProto', 'node')],
    [before, id('NodeProto', 'attribute')],
    [name, id('AttributeProto', 'g')],
  ] as const;
  return nested(repeated(depth, level).slice(1), leaf);
}

const info = (name: string): Message => ({ type: 'ValueInfoProto', fields: [textField(1, name)] });

const graphOf = (model: Message) => {
  const field = model.fields.find((field) => field.id === id('ModelProto', 'graph'));
  return field && 'message' in field ? field.message : undefined;
};

function addNode(model: Message, contents: Uint8Array): void {
  graphOf(model)?.fields.push({ id: id('GraphProto', 'node'), wire: 2, bytes: contents });
}

function addFunctions(model: Message, count: number, bodyOf: (i: number) => readonly Message[]): void {
  const opset = (domain: string, version: number): Message => ({
    type: 'OperatorSetIdProto',
    fields: [textField(1, domain), numberField(2, version)],
  });
  for (let i = 0; i < count; i++) {
    const body = bodyOf(i).map((message) => asField(id('FunctionProto', 'node'), message));
    const names = words('FunctionProto', { name: `F${i}`, domain: 'fuzz', input: 'a', output: 'b' });
    const imports = [opset('', 21), opset('fuzz', 1)].map((m) => asField(id('FunctionProto', 'opsetImport'), m));
    model.fields.push(
      asField(id('ModelProto', 'functions'), { type: 'FunctionProto', fields: [...names, ...body, ...imports] }),
    );
  }
  model.fields.push(asField(id('ModelProto', 'opsetImport'), opset('fuzz', 1)));
  const anything = anyValue(model);
  addNode(model, contentsOf(node('F0', [anything], 'fuzz_called', 'fuzz')));
  graphOf(model)?.fields.push(asField(id('GraphProto', 'output'), info('fuzz_called')));
}

/** The name of an input of the model, or of nothing. */
function anyValue(model: Message): string {
  const input = graphOf(model)?.fields.find((field) => field.id === id('GraphProto', 'input'));
  const name = input && 'message' in input ? input.message.fields.find((field) => field.id === 1) : undefined;
  return name && 'bytes' in name ? new TextDecoder().decode(name.bytes) : 'nothing';
}

const depthOf = (random: Random) => random.pick(DEPTHS);

/** Damage by what a few bytes can unfold into. */
export const NESTING_DAMAGES: Readonly<Record<string, TreeDamage>> = {
  'a type in a type in a type': (model, random) => {
    const [kind, of] = random.pick([
      [id('TypeProto', 'sequenceType'), id('TypeProto.Sequence', 'elemType')],
      [id('TypeProto', 'optionalType'), id('TypeProto.Optional', 'elemType')],
    ] as const);
    const tensor = delimited(id('TypeProto', 'tensorType'), Uint8Array.of(8, 1));
    const level = [
      [NOTHING, kind],
      [NOTHING, of],
    ] as const;
    const type = {
      id: id('ValueInfoProto', 'type'),
      wire: 2,
      bytes: nested(repeated(depthOf(random), level), tensor),
    } as const;
    const value = oneOf(model, 'ValueInfoProto', random);
    if (value) value.fields = [...value.fields.filter((field) => field.id !== type.id), type];
  },
  'a subgraph in a subgraph': (model, random) => {
    const condition = words('TensorProto', { name: 'fuzz_condition' });
    const tensor = [numberField(id('TensorProto', 'dataType'), 9), ...condition];
    const raw = { id: id('TensorProto', 'rawData'), wire: 2, bytes: Uint8Array.of(1) } as const;
    const constant: Message = { type: 'TensorProto', fields: [...tensor, raw] };
    graphOf(model)?.fields.push(asField(id('GraphProto', 'initializer'), constant));
    addNode(model, branches(depthOf(random)));
  },
  'a function that calls itself': (model, random) => {
    const count = random.pick([1, 2, 100]);
    addFunctions(model, count, (i) => [node(`F${(i + 1) % count}`, ['a'], 'b', 'fuzz')]);
  },
  'functions that call the next': (model, random) => {
    const count = depthOf(random);
    addFunctions(model, count, (i) => [
      i < count - 1 ? node(`F${i + 1}`, ['a'], 'b', 'fuzz') : node('Neg', ['a'], 'b'),
    ]);
  },
  'functions that call the next twice': (model, random) => {
    const count = random.pick([3, 10, 20, 30, 60]);
    addFunctions(model, count, (i) =>
      i < count - 1
        ? [node(`F${i + 1}`, ['a'], 'm', 'fuzz'), node(`F${i + 1}`, ['m'], 'b', 'fuzz')]
        : [node('Neg', ['a'], 'b')],
    );
  },
  'a long chain': (model, random) => {
    const length = random.pick([100, 1000, 3000]);
    const op = random.pick(['Neg', 'Identity', 'Abs', 'Shape', 'Unsqueeze', 'Transpose', 'SequenceConstruct']);
    let last = anyValue(model);
    for (let i = 0; i < length; i++) {
      addNode(model, contentsOf(node(op, [last], `chain${i}`)));
      last = `chain${i}`;
    }
    graphOf(model)?.fields.push(asField(id('GraphProto', 'output'), info(last)));
  },
  'a value that doubles': (model, random) => {
    const length = random.pick([4, 8, 20]);
    let last = anyValue(model);
    for (let i = 0; i < length; i++) {
      const doubling = node('Concat', [last, last], `double${i}`);
      const axis = [...words('AttributeProto', { name: 'axis' }), numberField(3, 0), numberField(20, 2)];
      doubling.fields.push(asField(id('NodeProto', 'attribute'), { type: 'AttributeProto', fields: axis }));
      addNode(model, contentsOf(doubling));
      last = `double${i}`;
    }
    graphOf(model)?.fields.push(asField(id('GraphProto', 'output'), info(last)));
  },
};
