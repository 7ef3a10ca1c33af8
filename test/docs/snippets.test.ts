import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { tsc } from '../installed-package.js';
import { checkCommand, commandsOf } from './commands.js';
import { type Snippet, snippets } from './snippets.js';
import { type Host, hostOf, SURROUNDINGS } from './surroundings.js';
import { fileOf, programOf, scriptOf, type World, world } from './world.js';

/** Every block of README.md, CONTRIBUTING.md and docs, done as a reader would. */
const test = suite('snippets of the documentation');
const root = fileURLToPath(new URL('../..', import.meta.url));
const known = await world();

const isProgram = ({ language }: Snippet) => language === 'js' || language === 'ts';
const own = snippets.filter(({ isFile }) => !isFile);
const programs = own.filter(isProgram);
const isOfPackage = (snippet: Snippet) => hostOf(snippet) !== 'the repository';

const done = { compiled: 0, run: 0, checked: 0 };

test('each is in a language that is tried here', () => {
  const others = own.filter(
    (snippet) => !isProgram(snippet) && !['sh', 'json', 'diff', 'html', 'python'].includes(snippet.language),
  );
  assert.equal(others, []);
  for (const { code } of own.filter(({ language }) => language === 'json')) JSON.parse(code);
});

test('what surrounds snippets surrounds one that is there', () => {
  const names = own.map(({ name }) => name);
  assert.equal(
    Object.keys(SURROUNDINGS).filter((name) => !names.includes(name)),
    [],
  );
});

/** What a compiler says of the programs in a folder. */
function complaints(folder: string, options: object, files: readonly string[]): string {
  const compilerOptions = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: true, ...options };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}

const DECLARATIONS = `declare module '*.wasm' { const module: WebAssembly.Module; export default module; }`;

/** Imports programs one after the other, and writes down what those said that failed. */
const TOGETHER = `import { writeFileSync } from 'node:fs';
import { inspect } from 'node:util';
const failures = {};
for (const program of process.argv.slice(2))
  await import('./' + program).catch((error) => { failures[program] = inspect(error); });
writeFileSync('failures.json', JSON.stringify(failures));`;

let failures: Promise<Readonly<Record<string, string>>> | undefined;

async function runTogether(
  snippets: readonly Snippet[],
  { folder, address }: World,
): Promise<Readonly<Record<string, string>>> {
  const scripts = await Promise.all(
    snippets.map(async (each) => [`${fileOf(each)}.mjs`, await scriptOf(each)] as const),
  );
  for (const [file, script] of [...scripts, ['together.mjs', TOGETHER] as const])
    writeFileSync(join(folder, file), script);
  const env = { ...process.env, SITE: address, SARDONYX_CACHE: join(folder, 'cache') };
  const args = ['--import', './addresses.mjs', 'together.mjs', ...scripts.map(([file]) => file)];
  const child = spawn(process.execPath, args, { cwd: folder, env, timeout: 240_000 });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  assert.is(code, 0, said);
  return JSON.parse(readFileSync(join(folder, 'failures.json'), 'utf8'));
}

async function runInNode(snippet: Snippet, world: World): Promise<void> {
  failures ??= runTogether(
    programs.filter((each) => hostOf(each) === 'node'),
    world,
  );
  assert.is((await failures)[`${fileOf(snippet)}.mjs`], undefined);
}

/** The file of settings has the aliases by which a program for onnxruntime-web is bundled with the package. */
async function runInBundler(snippet: Snippet, { folder, package: sardonyx }: World): Promise<void> {
  const config = join(folder, 'vite.config.mjs');
  writeFileSync(config, await scriptOf(snippet));
  const { alias } = (await import(pathToFileURL(config).href)).default.resolve;
  const contents = `import * as ort from 'onnxruntime-web';
import { Tensor } from 'onnxruntime-common';
const session = await ort.InferenceSession.create('model.onnx');
const { y } = await session.run({ x: new Tensor('float32', [1, -2]) });
console.log(String(y.data));`;
  const outfile = join(folder, 'bundle/program.mjs');
  cpSync(join(sardonyx, 'build'), join(folder, 'build'), { recursive: true });
  const stdin = { contents, resolveDir: folder };
  await build({ stdin, alias, bundle: true, format: 'esm', outfile, platform: 'node', logLevel: 'error' });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile], { cwd: folder, encoding: 'utf8' });
  assert.is(stdout, '1,0\n', stderr);
}

async function runInRepository(snippet: Snippet): Promise<void> {
  const folder = join(root, 'build/snippets');
  mkdirSync(folder, { recursive: true });
  try {
    const file = join(folder, `${fileOf(snippet)}.ts`);
    writeFileSync(file, programOf(snippet));
    const options = { module: 'esnext', moduleResolution: 'bundler', types: ['node'], lib: ['es2023', 'dom'] };
    assert.is(complaints(folder, options, [file]), '');
    assert.ok(Object.keys(await import(pathToFileURL(file).href)).length > 0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Where there is no Python, the test says nothing. */
const PARSE = 'import ast, sys; ast.parse(sys.stdin.read())';

const HOSTS: Partial<Record<Host, (snippet: Snippet, world: World) => Promise<void>>> = {
  node: runInNode,
  'a bundler': runInBundler,
  'the repository': runInRepository,
};

if (known) {
  const { folder, typeRoots } = known;
  const types = { types: ['node'], typeRoots: [typeRoots], lib: ['es2023', 'dom', 'dom.iterable'] };

  test.after(() => known.remove());

  for (const resolution of ['bundler', 'nodenext'])
    test(`each program is right TypeScript, resolved as ${resolution} does`, () => {
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      const options = { ...types, module, moduleResolution: resolution, moduleDetection: 'force' };
      writeFileSync(join(folder, 'modules.d.ts'), DECLARATIONS);
      const compiled = programs.filter(isOfPackage);
      for (const snippet of compiled) writeFileSync(join(folder, `${fileOf(snippet)}.ts`), programOf(snippet));
      const files = compiled.map((snippet) => `${fileOf(snippet)}.ts`);
      assert.is(complaints(folder, options, ['modules.d.ts', ...files]), '');
      done.compiled = compiled.length;
    });

  for (const snippet of programs) {
    const run = HOSTS[hostOf(snippet)];
    if (run)
      test(`${snippet.name} runs`, async () => {
        await run(snippet, known);
        done.run++;
      });
  }

  const check = checkCommand(join(known.package, 'dist/cli.js'));
  for (const { name, language, code } of own)
    if (language === 'sh')
      test(`${name}: the commands are there`, () => {
        assert.equal(
          commandsOf(code).flatMap((words) => check(words) ?? []),
          [],
        );
        done.checked++;
      });

  for (const { name, language, code } of own)
    if (language === 'python')
      test(`${name}: Python can read it`, () => {
        const { error, status, stderr } = spawnSync('python3', ['-c', PARSE], { input: code, encoding: 'utf8' });
        if (!error) assert.is(status, 0, stderr);
        done.checked++;
      });

  test('none is left out', () => {
    const elsewhere = programs.filter((snippet) => !HOSTS[hostOf(snippet)]).length;
    const checked = own.filter(({ language }) => language === 'sh' || language === 'python').length;
    const inRepository = programs.filter((snippet) => !isOfPackage(snippet)).length;
    console.log(
      `${done.compiled} compiled, ${done.run} run, ${elsewhere} run by test/platforms, ${done.checked} of commands; ${snippets.length - own.length} are recipes`,
    );
    assert.is(done.compiled + inRepository, programs.length);
    assert.is(done.run + elsewhere, programs.length);
    assert.is(done.checked, checked);
    assert.ok(programs.length >= 18);
  });
}

test.run();
