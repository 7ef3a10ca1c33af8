import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RE2JS } from 're2js';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { installed } from '../installed-package.js';

const { folder } = installed();

const CATEGORIES = 'L Ll Lm Lo Lt Lu M Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs C Cc Cf Co';
const SCRIPTS = 'Latin Greek Cyrillic Han Hiragana Katakana Hangul Common Inherited Thai';
const classes = `${CATEGORIES} ${SCRIPTS}`.split(' ').flatMap((name) => [`\\p{${name}}`, `(?i)\\P{${name}}`]);
const patterns = [...classes, '(?i)\\p{Lu}', '(?i)\\p{Lt}', '(?i)[\\p{Greek}\\pN]', '(?i)k', '(?i)ſ', '(?i)[α-ω]'];

/** Assigned before Unicode 7, and as what they are still, but for one that became a letter without case in Unicode 17. */
const codes = [
  ...Array.from({ length: 0x378 }, (_, code) => code),
  ...[0x4e00, 0x3042, 0x30a2, 0xac00, 0xd7a3, 0xe000, 0xfb01, 0xff21, 0x1f600, 0x10400, 0x10428, 0x1d400, 0x20000],
  ...Array.from({ length: 0x100 }, (_, i) => 0x1e00 + i),
].filter((code) => code !== 0x295);
const texts = codes.map((code) => String.fromCodePoint(code));

const test = suite('RegexFullMatch of the built package');

test('has the Unicode of the engine, and the same classes as re2js by its own tables', () => {
  const program = `
    import { InferenceSession } from 'sardonyx';
    import { modelBuilder } from 'sardonyx/builder';
    const found = [];
    for (const pattern of ${JSON.stringify(patterns)}) {
      const b = modelBuilder({ opset: 21 });
      b.output('y', b.op('RegexFullMatch', [b.input('x', 'string', ['n'])], { pattern }));
      const session = await InferenceSession.create(b.toBytes());
      const texts = ${JSON.stringify(texts)};
      found.push([...(await session.run({ x: { type: 'string', dims: [texts.length], data: texts } })).y.data].map(Number).join(''));
    }
    console.log(JSON.stringify(found));`;
  writeFileSync(join(folder, 'patterns.mjs'), program);
  const found: string[] = JSON.parse(
    execFileSync(process.execPath, ['patterns.mjs'], { cwd: folder, encoding: 'utf8' }),
  );
  for (const [i, pattern] of patterns.entries()) {
    const engine = RE2JS.compile(pattern);
    const expected = texts.map((text) => Number(engine.matches(text))).join('');
    assert.is(found[i], expected, pattern);
  }
});

test.run();
