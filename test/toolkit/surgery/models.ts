import { type GraphProto, TensorAnnotation } from '../../../build/onnx.js';
import { withChanges } from '../../../src/model/document/changed.js';
import type { Model } from '../../../src/model/document/model.js';
import { checkModel } from '../../../src/tools/check-document.js';
import { withProto } from '../../../src/tools/model-of.js';
import { parseModel, toText } from '../../../src/tools/text.js';

/** What the checker has against a model. */
export async function errorsOf(model: Model): Promise<string[]> {
  const issues = await checkModel(model, { full: true });
  return issues.filter(({ severity }) => severity === 'error').map(({ path, message }) => `${path}: ${message}`);
}

export const model = (text: string, head = 'ir_version: 10, opset_import: ["": 20]'): Model =>
  parseModel(`<${head}>\n${text}`);

export const graphOf = ({ proto }: Model): GraphProto => proto.graph as GraphProto;

export const names = (entries: readonly { readonly name: string }[]): string[] => entries.map(({ name }) => name);

export const operators = (made: Model): string[] => graphOf(made).node.map(({ opType }) => opType);

/** The nodes of the graph as text, one a line. */
export const nodesOf = (made: Model): string[] => graphOf(made).node.map((node) => toText(node).trim());

/** Whether a text stands in the message of what is thrown. */
export const says = (part: string) => (error: Error) => {
  if (error.message.includes(part)) return true;
  throw new Error(`expected "${part}" in "${error.message}"`);
};

export async function refuses(work: Promise<unknown>, part: string): Promise<void> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: Error) => thrown,
  );
  says(part)(error);
}

/** The model with a note about what a value is quantized by. */
export const withAnnotation = (given: Model, annotation: TensorAnnotation.$Properties): Model =>
  withProto(
    given,
    withChanges(given.proto, {
      graph: withChanges(graphOf(given), { quantizationAnnotation: [new TensorAnnotation(annotation)] }),
    }),
  );
