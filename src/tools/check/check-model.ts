import type { ModelProto } from '../../../build/onnx.js';
import { toNumber } from '../../model/int64.js';
import { type Context, hasRoom, nameOf } from './context.js';
import { InvalidModelError } from './invalid-model-error.js';
import { type Issue, newReport, type Report } from './issue.js';
import { type CheckOptions, LIMIT, nowhere, surroundings } from './options.js';
import { functionsOf } from './rules/function.js';
import { opsetsOf } from './rules/model.js';
import { newScope } from './scope.js';
import { walkModel } from './walk.js';

/** Models of IR version 1 and 2 have no opset imports; they use opset 1 of ai.onnx. */
const FIRST_OPSET = new Map([['', 1]]);

/** Finds all violations of ONNX's rules in a model in one pass. An invalid model does not throw. */
export async function checkModel(model: ModelProto, options: CheckOptions = {}): Promise<Issue[]> {
  const report = newReport(options.limit ?? LIMIT);
  walkModel(model, contextOf(model, options, report));
  if (!options.full) return report.issues;
  const { inferIssues } = await import('./infer.js');
  for (const issue of await inferIssues(model, report.issues, options.externalData))
    if (hasRoom(report, issue.severity)) report.issues.push(issue);
  return report.issues;
}

/** Throws the issues that `checkModel` finds if some of them are errors. */
export async function assertModel(model: ModelProto, options: CheckOptions = {}): Promise<void> {
  const issues = await checkModel(model, options);
  const errors = issues.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new InvalidModelError(issues, errors as [Issue, ...Issue[]]);
}

function contextOf(model: ModelProto, options: CheckOptions, report: Report): Context {
  const irVersion = toNumber(model.irVersion);
  const opsets = opsetsOf(model.opsetImport);
  return {
    ...surroundings(options, report),
    irVersion,
    functions: functionsOf(model.functions),
    functionNames: new Set(model.functions.map(({ domain, name }) => nameOf({ domain, opType: name }))),
    configurations: new Map(model.configuration.map(({ name, numDevices }) => [name, numDevices])),
    ...nowhere,
    opsets: opsets.size === 0 && irVersion < 3 ? FIRST_OPSET : opsets,
    scope: newScope(),
  };
}
