import { writeFileSync } from 'node:fs';
import { CommandLine } from '../../cli/command-line.js';
import type { Mistake } from './mistake.js';
import { classifier } from './networks.js';

let command: CommandLine;

export function setUp(): void {
  command = new CommandLine();
  writeFileSync(command.path('model.onnx'), classifier());
  writeFileSync(command.path('labels.txt'), 'tench\ngoldfish\nshark\n');
}

export const tearDown = (): void => command.remove();

const sardonyx = (...args: string[]) => command.run(...args);

export const commandLine: readonly Mistake[] = [
  {
    who: 'runs a model that is not there',
    gets: 'exit status 1',
    wrong: /there is no file/,
    where: /\/tmp\/.*\/modle\.onnx/,
    remedy: /did you mean "model\.onnx"\?/,
    by: () => sardonyx('run', 'modle.onnx'),
  },
  {
    who: 'inspects what is no model',
    gets: 'exit status 1',
    wrong: /labels\.txt is not an ONNX model: it is text, "tench goldfish shark"/,
    where: /labels\.txt/,
    remedy: /pass an \.onnx file/,
    by: () => sardonyx('inspect', 'labels.txt'),
  },
];
