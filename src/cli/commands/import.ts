import { Option } from '@commander-js/extra-typings';
import type { DataSource } from '../../loading/source.js';
import type { ForestOptions, ImportFormat, ImportProgress, Model, Renaming, WeightFile } from '../../tools/index.js';
import { openDocument, writeDocument } from '../document.js';
import type { Io } from '../io.js';
import { modelSource } from '../model-source.js';
import { newCommand, OUTPUT } from '../new-command.js';
import { collected, wholeNumber } from '../option-values.js';
import { table } from '../table.js';
import { importTensorFlowJS } from '../translations.js';
import { concerning, UsageError } from '../usage-error.js';

const EXAMPLES = [
  'import xgboost.json -o trees.onnx',
  'import web/model.json -o model.onnx',
  'import lightgbm.txt -o trees.onnx --label setosa --label versicolor --label virginica',
  'import model.safetensors                    # list the weights',
  'import model.safetensors model.onnx -o tuned.onnx --convert',
  'import model.safetensors.index.json model.onnx -o tuned.onnx --name lm_head.weight=head',
  'import model.gguf model.onnx -o q4.onnx --blocks --partial',
  'import adapter_model.safetensors model.onnx --lora -o merged.onnx --scale 0.8',
];

const NOTES = `
Tree models of XGBoost, LightGBM and CatBoost and the model.json of TensorFlow.js become ONNX models. If operators or layers have no
equivalent, nothing is written: the command lists them with the reason, and the exit status is 1.

Weights in safetensors or GGUF files replace those of the same names in MODEL; without MODEL, the command lists them.`;

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
  newCommand(
    'import',
    'Convert a tree model or a TensorFlow.js model to ONNX, or import weights into a model.',
    EXAMPLES,
  )
    .argument('<file>', 'tree model, TensorFlow.js model or weights: a file, URL, or - for standard input')
    .argument('[model]', 'ONNX file that receives the weights')
    .option('-o, --output <file>', OUTPUT)
    .addOption(new Option('--from <format>', 'format of the file (default: detected)').choices(FORMATS))
    .option('--lora', 'weights: merge a LoRA adapter into the model')
    .option('--scale <number>', '--lora: factor for the adapter (default: 1)', anyNumber)
    .option('--name <file=model>', 'weights: map a name in the file to a name in the model (repeatable)', collected)
    .option('--transpose <name>', 'weights: transpose these; * matches any text (repeatable)', collected)
    .option('--convert', 'weights: convert floating-point types to those of the model')
    .option('--partial', 'weights: skip those that the model does not have')
    .option('--external', 'weights: refer to the file as external data instead of copying it')
    .option('--blocks', 'weights: keep Q4_0 and Q8_0 blocks of GGUF, as MatMulNBits')
    .option('--opset <3|5>', 'trees: opset of ai.onnx.ml', wholeNumber)
    .option('--label <name>', 'trees: class label, in order of the classes (repeatable)', label)
    .option('--rounds <n>', 'trees: number of boosting rounds to use (default: all)', wholeNumber)
    .option('--json', 'print the list of weights, or the obstacles, as JSON')
    .addHelpText('after', NOTES);

type Choices = ReturnType<ReturnType<typeof command>['opts']>;

function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`"${text}" is not a number`);
}

/** Options that apply only to some formats. */
const OF_TREES = ['opset', 'label', 'rounds'] as const;
const OF_WEIGHTS = ['transpose', 'convert', 'partial', 'external', 'blocks'] as const;
const OF_MODELS = ['lora', 'scale', 'name', ...OF_WEIGHTS] as const;

function refuseForeign(choices: Choices, foreign: readonly (keyof Choices)[], what: string): void {
  const name = foreign.find((option) => choices[option] !== undefined);
  if (name) throw new UsageError(`--${name} does not apply to ${what}`);
}

export const importCommand = (io: Io) =>
  command().action(async (argument, model, { output, ...choices }) => {
    const source = await modelSource(io, argument);
    const { importFormatOf } = await import('../../tools/on-demand.js');
    const format = choices.from ?? nameOfFormat(argument) ?? (await importFormatOf(source));
    if (format === 'tensorflowjs') {
      refuseForeign(choices, [...OF_MODELS, ...OF_TREES], 'a TensorFlow.js model');
      if (model !== undefined) throw new UsageError(`${argument} is a complete model; omit ${model}`);
      return importTensorFlowJS(io, argument, requiredOutput(output), choices.json === true);
    }
    if (format !== 'safetensors' && format !== 'gguf') {
      refuseForeign(choices, [...OF_MODELS, 'json'], 'tree models');
      if (model !== undefined) throw new UsageError(`${argument} is a complete tree model; omit ${model}`);
      return writeDocument(io, await forest(source, format, choices), requiredOutput(output));
    }
    refuseForeign(choices, OF_TREES, 'weights');
    if (model === undefined) {
      if (output !== undefined)
        throw new UsageError('missing model: pass the ONNX file that receives the weights after the file of weights');
      refuseForeign(choices, OF_MODELS, 'a list of weights');
      return list(io, source, choices.json === true);
    }
    const target = requiredOutput(output);
    await writeDocument(io, await withWeights(io, source, await openDocument(io, model), choices), target);
  });

/** Formats that the name of a file implies, so that the file need not be fetched twice. */
const nameOfFormat = (argument: string): ImportFormat | undefined =>
  /\.(safetensors|gguf)([?#].*)?$/.exec(argument)?.[1] as ImportFormat | undefined;

function requiredOutput(output: string | undefined): string {
  if (output !== undefined) return output;
  throw new UsageError('missing required option --output: the file to write, or -');
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
    refuseForeign(choices, OF_WEIGHTS, 'a LoRA adapter');
    return tools.mergeLora(model, source, { names, onProgress: reporting(io), ...(scale !== undefined && { scale }) });
  }
  if (scale !== undefined) throw new UsageError('--scale needs --lora');
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
      throw new UsageError(`--name ${pair}: expected FILE=MODEL, the name in the file and the name in the model`);
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
  return [format, ...(facts.length > 0 ? [table(['', ''], facts)] : []), table(['weight', 'type', 'shape'], rows)].join(
    '\n\n',
  );
}

const shortened = (value: unknown): string => {
  if (Array.isArray(value)) return `${value.length} of ${typeof value[0]}`;
  const text = String(value).replace(/\s+/g, ' ');
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};
