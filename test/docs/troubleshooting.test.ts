import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { noKernels } from '../../src/advice/kernels.js';
import { modelBuilder } from '../../src/builder/index.js';
import { InferenceSession, Tensor } from '../../src/index.js';

const test = suite('docs/troubleshooting.md');
const page = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8');
const quoted = Array.from(page.matchAll(/^> (.+)$/gm), ([, message = '']) => message);

const b = modelBuilder({ opset: 21 });
b.output('y', b.op('Relu', [b.input('x', 'float32', ['n', 2])]));
const session = await InferenceSession.create(b.toBytes());

const messageOf = (feeds: Record<string, Tensor>): Promise<string> =>
  session.run(feeds).then(
    () => assert.unreachable(),
    ({ message }) => message,
  );

/** The warning of a page that is not isolated, on its only thread; warned once in a process for each number, and nobody else asks for 7. */
async function warning(): Promise<string> {
  const { warn } = console;
  const said: string[] = [];
  console.warn = (text) => said.push(text);
  Object.assign(globalThis, { crossOriginIsolated: false });
  try {
    await (await InferenceSession.create(b.toBytes(), { intraOpNumThreads: 7 })).release();
  } finally {
    console.warn = warn;
    Reflect.deleteProperty(globalThis, 'crossOriginIsolated');
  }
  return said.join('\n').replace('sardonyx: ', '').replace(/^7/, '4');
}

const printed = [
  noKernels('http://localhost:5173/build/sardonyx.relaxed.wasm: 404 Not Found', false, false, undefined),
  noKernels('', true, false, undefined),
  await warning(),
  await messageOf({ input: new Tensor('float32', [1, 2], [1, 2]) }),
  await messageOf({ x: new Tensor('int64', [1, 2], [1, 2]) }),
  await messageOf({ x: new Tensor('float32', [1, 2], [2]) }),
];

test('quotes messages as the package prints them', () => {
  assert.is(quoted.length, printed.length);
  for (const [i, message] of quoted.entries()) assert.ok(printed[i]?.startsWith(message), `${message}\n${printed[i]}`);
});

test.run();
