import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Io } from '../io.js';
import { newCommand } from '../new-command.js';
import { wholeNumber } from '../option-values.js';
import { entryOf } from '../peers/onnxruntime.js';
import { UsageError } from '../usage-error.js';

const NAME = 'sardonyx-studio';

const EXAMPLES = ['studio', 'studio model.onnx --port 8080'];

const NOTES = `
The studio is the package ${NAME}. Install it in the project, or run "npx ${NAME} model.onnx" instead.
The page is available only on this computer and makes no connections to others.`;

interface Studio {
  serveStudio(options: { model?: string; port?: number }): Promise<{ readonly address: string }>;
}

export const studioCommand = (io: Io) =>
  newCommand('studio', 'Open a model in the studio, a web page to view, run and measure models.', EXAMPLES)
    .argument('[model]', 'ONNX file, served together with its external data')
    .option('--port <n>', 'port to serve on (default: a free port)', wholeNumber)
    .addHelpText('after', NOTES)
    .action(async (model, { port }) => {
      if (model !== undefined && !existsSync(model)) throw new UsageError(`"${model}" does not exist`);
      const entry = entryOf(NAME, process.cwd());
      if (!entry)
        throw new UsageError(`${NAME} is not installed in this project; run npm install ${NAME}, or npx ${NAME}`);
      const { serveStudio } = (await import(pathToFileURL(entry).href)) as Studio;
      const { address } = await serveStudio({
        ...(model !== undefined && { model }),
        ...(port !== undefined && { port }),
      });
      io.print(`Studio: ${address}`);
    });
