import {
  attributeOf,
  block,
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

/** Classes were numbered in their order. */
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
  if (!names) return block('before version 2, labels are strings and their places in a list');
  const rest = withoutAttributes(node, from?.name ?? '', to?.name ?? '', 'default_float');
  return [withAttributes(rest, strings('classes_strings', names.map(String)))];
};

/** https://onnx.ai/onnx/operators/onnx_aionnxml_LabelEncoder.html */
export const LABELS: Recipes = { 'ai.onnx.ml.LabelEncoder 2': { up: numbered, down: inOrder } };
