import { Command, Option } from '@commander-js/extra-typings';
import type { DataSource } from '../../loading/source.js';
import type { ForestOptions, ImportFormat, ImportProgress, Model, Renaming, WeightFile } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import type { Io } from '../io.js';
import { modelSource } from '../model-source.js';
import { collected, wholeNumber } from '../option-values.js';
import { table } from '../table.js';
import { importTensorFlowJS } from '../translations.js';
import { concerning, UsageError } from '../usage-error.js';

const EXAMPLES = `
A model of trees, which XGBoost, LightGBM or CatBoost has written, becomes an ONNX model, and so does the model.json of TensorFlow.js, a
graph model or a layers model: where its operators or layers have no equal, each of them is listed, and the exit status is 1. Weights, safetensors or GGUF, take the place of those that
MODEL has by the same names; without MODEL they are listed. What the file is shows in it.

Examples:
  sardonyx import xgboost.json -o trees.onnx
  sardonyx import web/model.json -o model.onnx
  sardonyx import lightgbm.txt -o trees.onnx --label setosa --label versicolor --label virginica
  sardonyx import model.safetensors                                    lists what is in it
  sardonyx import model.safetensors model.onnx -o tuned.onnx --convert
  sardonyx import model.safetensors.index.json model.onnx -o tuned.onnx --name lm_head.weight=head
  sardonyx import model.gguf model.onnx -o q4.onnx --blocks --partial
  sardonyx import adapter_model.safetensors model.onnx --lora -o merged.onnx --scale 0.8`;

const FORMATS = [
  'safetensors',
  'gguf',
  'xgboost',
  'lightgbm',
  'catboost',
  'tensorflowjs',
] as const satisfies readonly ImportFormat[];

const label = (text: string, earlier: readonly (string | number)[] = []) => [
  ...earlier,
  /^-?\d{1,15}$/.test(text) ? Number(text) : text,
];

const command = () =>
  new Command('import')
    .description('Make a model of trees or of TensorFlow.js, or put weights from other files into a model.')
    .argument('<file>', 'a file of trees, layers or weights, its URL, or - for standard input')
    .argument('[model]', 'the ONNX file that weights are for')
    .option('-o, --output <file>', 'the file to write; - is standard output')
    .addOption(new Option('--from <format>', 'what the file is, where it is not to be looked at').choices(FORMATS))
    .option('--lora', 'the file has a low-rank adapter, which is merged into the weights')
    .option('--scale <number>', 'what an adapter counts; 1 if left out', anyNumber)
    .option('--name <file=model>', 'what the model calls a weight, or the layer of an adapter (repeatable)', collected)
    .option('--transpose <name>', 'weights that lie the other way round, * for anything (repeatable)', collected)
    .option('--convert', 'let floats become those of the type that the model has')
    .option('--partial', 'leave out what the model has no weights for')
    .option('--external', 'let the model read weights from the file itself, beside it')
    .option('--blocks', "keep GGUF's Q4_0 and Q8_0, as MatMulNBits")
    .option('--opset <3|5>', 'of trees, in ai.onnx.ml', wholeNumber)
    .option('--label <name>', 'what a class is called, in their order (repeatable)', label)
    .option('--rounds <n>', 'how many rounds of trees count; all if left out', wholeNumber)
    .option('--json', 'list weights, or what has no equal in ONNX, as JSON')
    .addHelpText('after', EXAMPLES);

type Choices = ReturnType<ReturnType<typeof command>['opts']>;

function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`"${text}" is not a number`);
}

/** Options that only some imports take. */
const OF_TREES = ['opset', 'label', 'rounds'] as const;
const OF_WEIGHTS = ['transpose', 'convert', 'partial', 'external', 'blocks'] as const;
const OF_MODELS = ['lora', 'scale', 'name', ...OF_WEIGHTS] as const;

function refuseForeign(choices: Choices, foreign: readonly (keyof Choices)[], what: string): void {
  const name = foreign.find((option) => choices[option] !== undefined);
  if (name) throw new UsageError(`--${name} is of no use for ${what}`);
}

export const importCommand = (io: Io) =>
  command().action(async (argument, model, { output, ...choices }) => {
    const source = await modelSource(io, argument);
    const { importFormatOf } = await import('../../tools/on-demand.js');
    const format = choices.from ?? nameOfFormat(argument) ?? (await importFormatOf(source));
    if (format === 'tensorflowjs') {
      refuseForeign(choices, [...OF_MODELS, ...OF_TREES], 'a model of TensorFlow.js');
      if (model !== undefined) throw new UsageError(`${argument} is a model itself: leave out ${model}`);
      return importTensorFlowJS(io, argument, requiredOutput(output), choices.json === true);
    }
    if (format !== 'safetensors' && format !== 'gguf') {
      refuseForeign(choices, [...OF_MODELS, 'json'], 'trees');
      if (model !== undefined) throw new UsageError(`${argument} has trees, which need no model: leave out ${model}`);
      return writeDocument(io, await forest(source, format, choices), requiredOutput(output));
    }
    refuseForeign(choices, OF_TREES, 'weights');
    if (model === undefined) {
      if (output !== undefined) throw new UsageError('name the model that the weights are for, behind the file');
      refuseForeign(choices, OF_MODELS, 'a list of weights');
      return list(io, source, choices.json === true);
    }
    const target = requiredOutput(output);
    await writeDocument(io, await withWeights(io, source, await openDocument(io, model), choices), target);
  });

/** Names that say what is in a file, which then need not be fetched twice. */
const nameOfFormat = (argument: string): ImportFormat | undefined =>
  /\.(safetensors|gguf)([?#].*)?$/.exec(argument)?.[1] as ImportFormat | undefined;

function requiredOutput(output: string | undefined): string {
  if (output !== undefined) return output;
  throw new UsageError('--output is missing: the file to write, or -');
}

async function forest(source: DataSource, format: ImportFormat, { opset, label, rounds }: Choices): Promise<Model> {
  const tools = await import('../../tools/on-demand.js');
  const options = { opset: opset as ForestOptions['opset'], labels: label, rounds };
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as ForestOptions;
  if (format === 'xgboost') return tools.fromXGBoost(source, given);
  return format === 'lightgbm' ? tools.fromLightGBM(source, given) : tools.fromCatBoost(source, given);
}

const reporting =
  (io: Io) =>
  ({ stage, done, total, node }: ImportProgress): void =>
    io.progress(`importing ${stage}: ${done} of ${total} ${node}`);

async function withWeights(io: Io, source: DataSource, model: Model, choices: Choices): Promise<Model> {
  const tools = await import('../../tools/on-demand.js');
  const {
    lora,
    scale,
    name = [],
    partial,
    transpose = [],
    convert = false,
    external = false,
    blocks = false,
  } = choices;
  const names = namesIn(name);
  if (lora) {
    refuseForeign(choices, OF_WEIGHTS, 'an adapter');
    return tools.mergeLora(model, source, { names, onProgress: reporting(io), ...(scale !== undefined && { scale }) });
  }
  if (scale !== undefined) throw new UsageError('--scale belongs to --lora');
  const strict = !partial;
  return tools.importWeights(model, source, {
    names,
    transpose,
    convert,
    strict,
    external,
    blocks,
    onProgress: reporting(io),
  });
}

const namesIn = (pairs: readonly string[]) =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=');
      if (at > 0) return [pair.slice(0, at), pair.slice(at + 1)];
      throw new UsageError(`--name ${pair}: has no = between the name in the file and that in the model`);
    }),
  ) satisfies Renaming;

async function list(io: Io, source: DataSource, asJson: boolean): Promise<void> {
  const { openWeights } = await import('../../tools/on-demand.js');
  const file = await concerning('FILE', () => openWeights(source));
  if (asJson) io.printJson(report(file));
  else io.print(described(file));
}

const report = ({ format, metadata, tensors }: WeightFile) => ({
  format,
  metadata,
  tensors: [...tensors].map(([name, { form, type, dims }]) => ({ name, form, type, dims })),
});

function described({ format, metadata, tensors }: WeightFile): string {
  const facts = Object.entries(metadata).map(([key, value]) => [key, shortened(value)]);
  const rows = [...tensors].map(([name, { form, dims }]) => [name, form, dims.join('×')]);
  return [format, ...(facts.length > 0 ? [table(['', ''], facts)] : []), table(['weight', 'form', 'dims'], rows)].join(
    '\n\n',
  );
}

const shortened = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} of ${typeof value[0]}`;
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
