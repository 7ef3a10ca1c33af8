// Asks onnxruntime-node what the model of examples/chat says, and keeps it:
// node --import tsx test/chat/witness.ts && npx biome format --write test/chat

import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { MODEL, type Runtime } from './example.js';
import { losses, PASSAGE, PROMPTS, said, speakerOf } from './said.js';

const runtime: Runtime = createRequire(new URL('../../bench/package.json', import.meta.url))('onnxruntime-node');
const session = await runtime.InferenceSession.create(MODEL);
const speaker = speakerOf(runtime, session);
const texts: string[] = [];
for (const prompt of PROMPTS) texts.push(await said(speaker, prompt));
const expected = {
  texts,
  losses: (await losses(runtime, session, PASSAGE)).map((loss) => Number(loss.toPrecision(7))),
};
writeFileSync(new URL('expected.json', import.meta.url), `${JSON.stringify(expected, null, 2)}\n`);
console.log(texts);
await session.release();
