import { Command, Option } from '@commander-js/extra-typings';
import { CALIBRATIONS } from '../../tools/quantize/calibrate/ranges.js';
import { openDocument } from '../document.js';
import { type Io, STANDARD } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { samplesIn } from '../samples.js';
import { write } from '../write-file.js';
import { refuseBoth } from '../written.js';

const EXAMPLES = `
Methods:
  minmax      all that a value was
  average     the mean of the ends of samples, or with --averaging a moving one
  entropy     what loses least by having --levels levels
  percentile  all but what is rarer than --percentile says
  mse         what 8 bits err least by

Examples:
  sardonyx calibrate model.onnx --data samples -o ranges.json
  sardonyx calibrate model.onnx --data samples -o ranges.json --method mse
  sardonyx calibrate model.onnx --data samples -o cache.json --cache
  sardonyx quantize static model.onnx --ranges ranges.json -o int8.onnx`;

export const calibrateCommand = (io: Io) =>
  new Command('calibrate')
    .description('Write the ranges that the values of a model have when it runs on samples.')
    .argument('<model>', 'an ONNX file, its URL, or - for standard input')
    .requiredOption('-o, --output <file>', 'the JSON file to write; - is standard output')
    .requiredOption('--data <folder>', 'the folders test_data_set_0 … on which the model is run')
    .addOption(new Option('--method <name>', 'how ranges are found; minmax if left out').choices(CALIBRATIONS))
    .option('--averaging <0-1>', 'average: how far a sample moves the ends', Number)
    .option('--percentile <0-100>', 'percentile: how much of a value is in its range; 99.999 if left out', Number)
    .option('--bins <n>', 'of histograms; 2048 if left out', wholeNumber)
    .option('--levels <n>', 'entropy: of how many levels a range is looked at; 128 if left out', wholeNumber)
    .option('--symmetric', 'around 0')
    .option('--no-symmetric', 'percentile: cut off each end by itself, not absolute values')
    .option('--compatible', "read histograms as onnxruntime's calibrators do by default")
    .option('--cache', "write onnxruntime's calibration cache")
    .option('--json', 'print what was written as JSON')
    .addHelpText('after', EXAMPLES)
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
      else write(output, text);
      if (json) io.printJson({ output, method: ranges.method, values: Object.keys(ranges.values).length });
    });
