import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Command } from '@commander-js/extra-typings';
import type { Io } from '../io.js';
import { wholeNumber } from '../option-values.js';
import { entryOf } from '../peers/onnxruntime.js';
import { UsageError } from '../usage-error.js';

const NAME = 'sardonyx-studio';

const EXAMPLES = `
The studio is a package of its own, which the project in this folder has by "npm install ${NAME}"; without it,
"npx ${NAME} model.onnx" does the same. The page is served to this machine alone, and connects to no other.

Examples:
  sardonyx studio
  sardonyx studio model.onnx --port 8080`;

interface Studio {
  serveStudio(options: { model?: string; port?: number }): Promise<{ readonly address: string }>;
}

export const studioCommand = (io: Io) =>
  new Command('studio')
    .description('Serve the page that shows, runs and measures models.')
    .argument('[model]', 'an ONNX file, served with the files beside it')
    .option('--port <n>', 'any that is free if left out', wholeNumber)
    .addHelpText('after', EXAMPLES)
    .action(async (model, { port }) => {
      if (model !== undefined && !existsSync(model)) throw new UsageError(`there is no "${model}"`);
      const entry = entryOf(NAME, process.cwd());
      if (!entry) throw new UsageError(`${NAME} is not installed here: npm install ${NAME}`);
      const { serveStudio } = (await import(pathToFileURL(entry).href)) as Studio;
      const { address } = await serveStudio({
        ...(model !== undefined && { model }),
        ...(port !== undefined && { port }),
      });
      io.print(`The studio is at ${address}`);
    });
