import { writeFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelBuilder, tensor } from '../../src/builder/index.js';
import { costOfProfiling, stepTotals } from '../../src/cli/profile.js';
import { CommandLine } from './command-line.js';
import { colorModel, twiceModel, writeNumpy } from './fixtures.js';

const test = suite<{ cli: CommandLine }>('inputs that commands generate');

/** Adds token ids and a mask of the same dynamic size. */
function tokensModel(): Uint8Array {
  const b = modelBuilder({ opset: 21 });
  const ids = b.input('input_ids', 'int64', ['batch', 'sequence']);
  b.output('y', b.op('Mul', [ids, b.input('mask', 'int64', ['batch', 'sequence'])]), 'int64', ['batch', 'sequence']);
  return b.toBytes();
}

test.before((context) => {
  const cli = new CommandLine();
  context.cli = cli;
  writeFileSync(cli.path('tokens.onnx'), tokensModel());
  writeFileSync(cli.path('twice.onnx'), twiceModel(['n', 2]));
  writeFileSync(cli.path('colors.onnx'), colorModel());
  writeNumpy(cli.path('ids.npy'), tensor('int64', [1, 3], [1, 2, 3]));
});

test.after(({ cli }) => cli.remove());

const COMMANDS = [
  ['bench', '--runs', '1'],
  ['run'],
  ['inspect'],
  ['compare', '--with', 'sardonyx:disabled', '--runs', '1'],
  ['debug', 'bisect'],
];

const lineOf = ([verb, ...options]: readonly string[], model: string, ...more: string[]) => {
  const [tool, rest] = verb === 'debug' ? [options.slice(0, 1), options.slice(1)] : [[], options];
  return [verb as string, ...tool, model, ...rest, ...more];
};

for (const command of COMMANDS)
  test(`${command.join(' ')} prints generated inputs, and asks for a realistic size`, async ({ cli }) => {
    const { status, stderr } = await cli.run(...lineOf(command, 'tokens.onnx'));
    assert.is(status, 0, stderr);
    assert.is(
      stderr,
      'inputs: input_ids int64[1, 1] (generated), mask int64[1, 1] (generated)\n' +
        'note: dynamic dimension "sequence" set to 1; pass --dim sequence=128 for a realistic size\n',
    );
    const sized = await cli.run(...lineOf(command, 'tokens.onnx', '--dim', 'sequence=128'));
    assert.is(sized.stderr, 'inputs: input_ids int64[1, 128] (generated), mask int64[1, 128] (generated)\n');
  });

test('several dimensions are in one note; batches of 1 need none', async ({ cli }) => {
  assert.match(
    (await cli.run('run', 'colors.onnx')).stderr,
    /^note: dynamic dimensions "height", "width" set to 1; pass --dim height=224 --dim width=224 for realistic sizes$/m,
  );
  assert.is((await cli.run('run', 'twice.onnx')).stderr, 'inputs: x float32[1, 2] (generated)\n');
  assert.is((await cli.run('run', 'twice.onnx', '--shape', '3x2')).stderr, 'inputs: x float32[3, 2] (generated)\n');
});

test('generated inputs take the sizes of those that are given', async ({ cli }) => {
  const { stderr, status } = await cli.run('run', 'tokens.onnx', '-i', 'input_ids=ids.npy');
  assert.equal([status, stderr], [0, 'inputs: input_ids int64[1, 3], mask int64[1, 3] (generated)\n']);
  const { inputs } = await cli.json('bench', 'tokens.onnx', '--runs', '1', '--shape', 'input_ids=2x16');
  assert.equal(inputs, [
    { name: 'input_ids', type: 'int64', dims: [2, 16], generated: true },
    { name: 'mask', type: 'int64', dims: [2, 16], generated: true },
  ]);
});

test('a profile has medians, as the runs have, and gives the reason if its steps take longer', async ({ cli }) => {
  const step = (run: number, milliseconds: number) => ({ operator: 'Mul', kernel: 'mul', run, milliseconds });
  const steps = stepTotals([step(0, 1), step(0, 1), step(1, 40), step(1, 1), step(2, 2), step(2, 1)]);
  assert.equal(steps, [{ operator: 'Mul', kernel: 'mul', steps: 2, milliseconds: 3 }]);
  assert.is(costOfProfiling(steps, 3), undefined);
  assert.match(
    costOfProfiling(steps, 2.5) ?? '',
    /^The steps take 3\.00 ms, more than the median run \(2\.50 ms\): a profiled run calls WebAssembly\nonce for each of 2 steps/,
  );
  assert.match(await cli.succeed('bench', 'twice.onnx', '--runs', '5', '--profile'), /^operator +kernel .*median ms/m);
});

test.run();
