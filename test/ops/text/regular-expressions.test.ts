import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tensor } from '../../../src/builder/index.js';
import type { TensorValue } from '../../../src/tensor/tensor-value.js';
import { expectRejection } from '../../expect-error.js';
import { sessionsOf } from '../stages.js';

const test = suite('RegexFullMatch');

const match = async (pattern: string, texts: readonly string[]) => {
  const sessions = await sessionsOf((b) =>
    b.output('y', b.op('RegexFullMatch', [b.input('x', 'string', ['n'])], { pattern })),
  );
  const found: string[][] = [];
  for (const [, session] of sessions) {
    const { data } = (await session.run({ x: tensor('string', [texts.length], texts) })).y as TensorValue;
    found.push(texts.filter((_, i) => data[i]));
  }
  assert.equal(found[0], found[1]);
  return found[0];
};

/** Which of the texts a pattern matches, by https://github.com/google/re2/wiki/Syntax. */
const cases: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
  ['', [''], ['a', '\n']],
  ['a|ab', ['a', 'ab'], ['b', 'aba']],
  ['.', ['a', 'é', '😀', '\r', '\u2028'], ['', '\n', 'ab']],
  ['(?s).', ['\n', 'a'], ['']],
  ['(?i)straße', ['STRAßE', 'straße'], ['strasse']],
  ['(?m)a$\n^b', ['a\nb'], ['ab', 'a\rb']],
  ['(?U)a+?b*', ['aab', 'abb'], ['b']],
  ['(?P<user>\\w+)@(?<host>[\\w.]+)', ['me@example.org'], ['é@example.org', '@']],
  ['\\s', [' ', '\t', '\n', '\f', '\r'], ['\v', '\u00a0']],
  ['[^\\S]', [' '], ['a', '\v']],
  ['[[:alpha:]_-]+', ['a-Z_'], ['1', 'é']],
  ['[[:^digit:]x]', ['a', '😀'], ['1']],
  ['[]a]', [']', 'a'], ['[', '']],
  ['[^]a]', ['[', 'b'], [']', 'a']],
  ['\\pN\\p{Greek}\\PL', ['1α1'], ['aα1', '1a1', '1αa']],
  ['[\\p{^Lu}]', ['a'], ['A']],
  ['\\x41\\x{1F600}\\101\\a', ['A😀A\x07'], ['A']],
  ['\\Q1+1=2?\\E*', ['1+1=2?', '1+1=2', '1+1=2??'], ['11=2?']],
  ['\\A\\@\\!\\-\\_x\\z', ['@!-_x'], ['x']],
  ['a{,2}|b{2,3}|{c}', ['a{,2}', 'bb', 'bbb', '{c}'], ['aa', 'b', 'c']],
  ['\\b\\d\\b/\\D', ['1/a'], ['1/1', '٣/a']],
  ['x(?i)y', ['xy', 'xY'], ['Xy']],
  ['a(?i:b)c', ['abc', 'aBc'], ['Abc', 'abC']],
];

for (const [pattern, yes, no] of cases)
  test(JSON.stringify(pattern), async () => assert.equal(await match(pattern, [...yes, ...no]), yes));

for (const pattern of [
  '(?=a)',
  '(?!a)',
  '(?<=a)',
  '(?<!a)',
  '(a)\\1',
  'a++',
  'a**',
  '\\C',
  '(a',
  'a)',
  '[a',
  'a{1001}',
  '\\p{Nowhere}',
  '[[:none:]]',
  '(?>a)',
  '*',
])
  test(`${pattern} is refused`, () =>
    expectRejection('INVALID_ATTRIBUTE', /must be a regular expression of RE2/, match(pattern, ['a'])));

test('no pattern takes more than time linear in the text', async () => {
  const text = 'a'.repeat(100_000);
  for (const pattern of ['(a+)+b', '(.*)*c', '(a|a)*b', '(x+x+)+y'])
    assert.equal(await match(pattern, [text, text.slice(1)]), []);
  assert.equal(await match('(a+)+b', [`${text}b`]), [`${text}b`]);
});

test.run();
