import { Command } from '@commander-js/extra-typings';

/** A command whose help begins with its summary and examples. */
export const newCommand = (name: string, summary: string, examples: readonly string[]) =>
  new Command(name)
    .summary(summary)
    .description([summary, '', 'Examples:', ...examples.map((line) => `  sardonyx ${line}`)].join('\n'));

/** Descriptions that many commands share. */
export const MODEL = 'ONNX file, URL, or - for standard input';
export const OUTPUT = 'file to write, or - for standard output';
export const SUMMARY_JSON = 'print a summary of the written model as JSON';
export const DATA = 'folder with test_data_set_0, test_data_set_1, … to run the model on';
