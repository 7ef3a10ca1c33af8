#!/usr/bin/env node
// usage: sardonyx-studio [MODEL] [--port N]
import { parseArgs } from 'node:util';
import { serveStudio } from './server.js';

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { port: { type: 'string' } } });
  const [model, ...others] = positionals;
  const port = Number(values.port ?? 0);
  if (others.length > 0) throw new Error(`one model is served, not ${positionals.length}`);
  if (!Number.isInteger(port) || port < 0 || port > 65535)
    throw new Error(`"${values.port}" is no port: they go to 65535`);
  const { address } = await serveStudio({ model, port });
  console.log(`The studio is at ${address}`);
} catch (error) {
  console.error(`sardonyx-studio: ${error.message}`);
  process.exitCode = 1;
}
