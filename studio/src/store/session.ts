import { batch, effect, type ReadonlySignal, signal } from '@preact/signals';
import { proxy } from 'comlink';
import type { OpenedDocument } from '../workers/contracts/documents.js';
import type { Feeding, InputChoice, OpenSizes } from '../workers/contracts/feeding.js';
import type { DoneRun, OpenedSession } from '../workers/contracts/runs.js';
import { DEFAULTS, type Settings } from '../workers/contracts/settings.js';
import { task } from './notices.js';
import { seenInRun } from './seen-in-run.js';
import { documents } from './workers/documents.js';
import { asJob, leaveRuns, runs } from './workers/runs.js';
import { model } from './workspace.js';

const own = {
  settings: signal<Settings>(DEFAULTS),
  session: signal<OpenedSession | null>(null),
  inputs: signal<ReadonlyMap<string, InputChoice>>(new Map()),
  sizes: signal<OpenSizes>(new Map()),
  done: signal<readonly DoneRun[]>([]),
};

/** The state shared by the panels that run the model in view: its session and inputs. */
export const settings: ReadonlySignal<Settings> = own.settings;
export const session: ReadonlySignal<OpenedSession | null> = own.session;
export const inputs: ReadonlySignal<ReadonlyMap<string, InputChoice>> = own.inputs;
export const sizes: ReadonlySignal<OpenSizes> = own.sizes;
/** Runs kept side by side, the latest first. */
export const done: ReadonlySignal<readonly DoneRun[]> = own.done;
export const feeding = (): Feeding => ({ inputs: inputs.value, sizes: sizes.value });

export function setSettings(value: Settings): void {
  own.settings.value = value;
}

/** Sets the source of an input's value; null generates it. */
export function setInput(name: string, choice: InputChoice | null): void {
  const others = [...inputs.value].filter(([other]) => other !== name);
  own.inputs.value = new Map(choice ? [...others, [name, choice]] : others);
}

export function setSize(symbol: string, size: number): void {
  own.sizes.value = new Map(sizes.value).set(symbol, size);
}

/** Adds a run before the others, or in place of the one that `replaces` names. */
export function addRun(run: DoneRun, replaces?: number): void {
  own.done.value = [run, ...done.value.filter(({ id }) => id !== replaces)];
}

let opening: {
  readonly of: OpenedDocument;
  readonly settings: Settings;
  readonly made: Promise<OpenedSession | undefined>;
} | null = null;

/** The session of the model in view with the chosen settings, created if needed. */
export function currentSession(): Promise<OpenedSession | undefined> {
  const document = model.value;
  if (!document) return Promise.resolve(undefined);
  if (opening?.of === document && opening.settings === settings.value) return opening.made;
  closeSession();
  const made = openSession(document, settings.value);
  opening = { of: document, settings: settings.value, made };
  return made;
}

async function openSession(document: OpenedDocument, chosen: Settings): Promise<OpenedSession | undefined> {
  const opened = await sessionWith(document, chosen);
  if (opening?.of !== document || opening.settings !== chosen) {
    if (opened && model.value === document) void runs.close(opened.id);
    return undefined;
  }
  if (opened) own.session.value = opened;
  else opening = null;
  return opened;
}

/** A separate session of a model, which the caller closes. */
export async function sessionWith(document: OpenedDocument, chosen: Settings): Promise<OpenedSession | undefined> {
  return task(`Preparing ${document.name}`, async ({ signal, progress }) => {
    const files = await documents.files(document.id);
    return asJob(signal, (job) => runs.open(files, chosen, job, proxy(progress)));
  });
}

function closeSession(): void {
  const before = session.peek();
  opening = null;
  own.session.value = null;
  if (before) void runs.close(before.id);
}

export function forgetRun(id: number): void {
  own.done.value = done.value.filter((run) => run.id !== id);
  void runs.forget(id);
}

// Edges show the values of the latest run.
effect(() => {
  const [latest] = done.value;
  seenInRun(latest ? [...latest.fed, ...latest.outputs] : []);
});

let seen: OpenedDocument | null = null;

// State of a model is dropped along with it.
effect(() => {
  const document = model.value;
  if (document === seen) return;
  seen = document;
  opening = null;
  leaveRuns();
  batch(() => {
    own.session.value = null;
    own.done.value = [];
    own.inputs.value = new Map();
    own.sizes.value = new Map();
  });
});
