import { Option } from '@commander-js/extra-typings';
import { CALIBRATIONS } from '../../tools/quantize/calibrate/ranges.js';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { DATA, MODEL, newCommand, OUTPUT, SUMMARY_JSON } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { samplesIn } from '../samples.js';
import { write } from '../write-file.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = [
  'calibrate model.onnx --data samples -o ranges.json',
  'calibrate model.onnx --data samples -o ranges.json --method mse',
  'calibrate model.onnx --data samples -o cache.json --cache',
  'quantize static model.onnx --ranges ranges.json -o int8.onnx',
];

const NOTES = `
Methods:
  minmax      the minimum and maximum of all values
  average     the mean of the minima and maxima of the samples, or with --averaging a moving average
  entropy     the range with the least KL divergence between values and --levels quantized levels
  percentile  the range that holds --percentile percent of the values
  mse         the range with the least mean squared error in 8 bits`;

export const calibrateCommand = (io: Io) =>
  newCommand('calibrate', 'Run a model on samples and write the ranges of its values, for "quantize static".', EXAMPLES)
    .argument('<model>', MODEL)
    .requiredOption('-o, --output <file>', `JSON ${OUTPUT}`)
    .requiredOption('--data <folder>', DATA)
    .addOption(new Option('--method <name>', 'calibration method (default: minmax)').choices(CALIBRATIONS))
    .option('--averaging <0-1>', 'average: weight of a new sample in the moving average', Number)
    .option('--percentile <0-100>', 'percentile: percentage of values in the range (default: 99.999)', Number)
    .option('--bins <n>', 'number of histogram bins (default: 2048)', wholeNumber)
    .option('--levels <n>', 'entropy: number of quantized levels (default: 128)', wholeNumber)
    .option('--symmetric', 'make ranges symmetric around 0')
    .option('--no-symmetric', 'percentile: cut each end separately instead of absolute values')
    .option('--compatible', "evaluate histograms as onnxruntime's calibrators do by default")
    .option('--cache', 'write a calibration cache of onnxruntime')
    .option('--json', SUMMARY_JSON.replace('model', 'file'))
    .addHelpText('after', NOTES)
    .action(async (argument, { output, data, cache = false, json, ...options }) => {
      refuseBoth({ output, json });
      const model = await openDocument(io, argument);
      const { calibrate, toCalibrationCache } = await import('../../tools/on-demand.js');
      const ranges = await calibrate(model, samplesIn(data, model), {
        ...options,
        onProgress: ({ stage, done }) => io.progress(`calibrating ${stage}: sample ${done}`),
      });
      const text = `${cache ? toCalibrationCache(ranges) : JSON.stringify(ranges, undefined, 1)}\n`;
      if (output === STANDARD) io.host.stdout.write(text);
      else write(io, output, text);
      if (json) io.printJson({ output, method: ranges.method, values: Object.keys(ranges.values).length });
    });
