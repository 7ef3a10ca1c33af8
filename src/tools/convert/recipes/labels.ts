import { type AttributeProto, NodeProto } from '../../../../build/onnx.js';
import { readTensor } from '../../../model/tensors.js';
import { numbersOf } from '../../../tensor/numbers.js';
import {
  attributeOf,
  block,
  float,
  floats,
  int,
  ints,
  numberAt,
  string,
  strings,
  textAt,
  valuesOf,
  withAttributes,
  withoutAttributes,
} from '../node.js';
import { neededElement, type Recipe, type Recipes } from '../step.js';

/** Classes are numbered in the order of the list. */
const numbered: Recipe = (step) => {
  const { node } = step;
  const classes = attributeOf(node, 'classes_strings');
  const names = (classes ? valuesOf(classes) : []).map(String);
  const numbers = [...names.keys()];
  const rest = withoutAttributes(node, 'classes_strings', 'default_int64', 'default_string');
  if (neededElement(step, 0) === 'string')
    return [
      withAttributes(
        rest,
        strings('keys_strings', names),
        ints('values_int64s', numbers),
        int('default_int64', numberAt(node, 'default_int64') ?? -1),
      ),
    ];
  const unknown = string('default_string', textAt(node, 'default_string') ?? '_Unused');
  return [withAttributes(rest, ints('keys_int64s', numbers), strings('values_strings', names), unknown)];
};

const isCounting = (values: readonly (string | number)[]) => values.every((value, i) => value === i);

const inOrder: Recipe = ({ node }) => {
  const [from, to] = ['keys', 'values'].map((what) => node.attribute.find(({ name }) => name.startsWith(what)));
  const [keys, values] = [from ? valuesOf(from) : [], to ? valuesOf(to) : []];
  const names =
    from?.name === 'keys_strings' && isCounting(values)
      ? keys
      : isCounting(keys) && to?.name === 'values_strings'
        ? values
        : undefined;
  if (!names) return block('before version 2, LabelEncoder only maps strings to their positions in a list');
  const rest = withoutAttributes(node, from?.name ?? '', to?.name ?? '', 'default_float');
  return [withAttributes(rest, strings('classes_strings', names.map(String)))];
};

/** The list attributes of the older version, by the element type of the tensor. */
const LISTS: Readonly<Record<string, (name: string, values: readonly (number | string)[]) => AttributeProto>> = {
  float32: (name, values) => floats(`${name}_floats`, values.map(Number)),
  int64: (name, values) => ints(`${name}_int64s`, values.map(Number)),
  string: (name, values) => strings(`${name}_strings`, values.map(String)),
};

const DEFAULTS: Readonly<Record<string, (values: readonly (number | string)[]) => AttributeProto>> = {
  float32: ([value]) => float('default_float', Number(value)),
  int64: ([value]) => int('default_int64', Number(value)),
  string: ([value]) => string('default_string', String(value)),
};

/** Replaces tensors of keys and values, which exist since version 4, by lists. */
const listed: Recipe = ({ node }) => {
  const attribute = node.attribute.map((a) => {
    const name = /^(keys|values|default)_tensor$/.exec(a.name)?.[1];
    if (!name || !a.t) return a;
    const contents = readTensor(a.t);
    const values = contents.type === 'string' ? (contents.data as readonly string[]) : Array.from(numbersOf(contents));
    const write = name === 'default' ? DEFAULTS[contents.type] : LISTS[contents.type]?.bind(undefined, name);
    return write?.(values) ?? block(`${a.name} of type ${contents.type} needs LabelEncoder 4`);
  });
  return [new NodeProto({ ...node, attribute })];
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html */
export const LABELS: Recipes = {
  'ai.onnx.ml.LabelEncoder 2': { up: numbered, down: inOrder },
  'ai.onnx.ml.LabelEncoder 4': { down: listed },
};
