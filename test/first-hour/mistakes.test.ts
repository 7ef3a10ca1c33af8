import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SardonyxError } from '../../src/index.js';
import type { Outcome } from '../cli/command-line.js';
import * as cli from './mistakes/command-line.js';
import { feeds } from './mistakes/feeds.js';
import * as files from './mistakes/loading.js';
import type { Mistake } from './mistakes/mistake.js';
import { models } from './mistakes/models.js';
import { tensors } from './mistakes/tensors.js';

/** Each is really made; what comes of it must name what was wrong, where, and what to do. */
const MISTAKES: Readonly<Record<string, readonly Mistake[]>> = {
  loading: files.loading,
  models,
  tensors,
  feeds,
  'on the command line': cli.commandLine,
};

const FEWEST = 50;
/** As much as fits on a screen. */
const LONGEST = 1000;

const test = suite('mistakes of newcomers');

test.before(() => {
  files.setUp();
  cli.setUp();
});
test.after(async () => {
  cli.tearDown();
  await files.tearDown();
});

test(`there are at least ${FEWEST}`, () => assert.ok(Object.values(MISTAKES).flat().length >= FEWEST));

/** What is said when the mistake is made: by an error, in the console, or by a command. */
async function said({ by, gets }: Mistake): Promise<readonly string[]> {
  const warnings: string[] = [];
  const { warn } = console;
  console.warn = (text: string) => void warnings.push(text);
  try {
    const result = await by();
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (!gets.startsWith('exit')) {
      assert.is(gets, 'a warning', 'nothing was said');
      return warnings;
    }
    const { status, stderr } = result as Outcome;
    assert.is(`exit status ${status}`, gets, stderr);
    return [stderr];
  } catch (error) {
    assert.instance(error, SardonyxError, (error as Error).stack as string);
    const { code, message } = error as SardonyxError;
    assert.is(code, gets, message);
    return [message];
  } finally {
    console.warn = warn;
  }
}

for (const [group, mistakes] of Object.entries(MISTAKES))
  for (const mistake of mistakes)
    test(`${group}: somebody ${mistake.who}`, async () => {
      const messages = await said(mistake);
      for (const part of ['wrong', 'where', 'remedy'] as const)
        assert.ok(
          messages.some((message) => mistake[part].test(message)),
          `${part}: ${mistake[part]} is not said: ${messages.join(' | ')}`,
        );
      for (const message of messages) assert.ok(message.length <= LONGEST, `${message.length} characters: ${message}`);
    });

test.run();
