/** What docs/onnxruntime.md says is otherwise than in `sardonyx`, by the checks of the contract of sessions. */
export const DIFFERENCES: Readonly<Record<string, string>> = {
  'an input with a default is listed': 'inputs with a default are not listed',
  'data are arrays of the kind that their type has': 'float16 and int4 are in the arrays of onnxruntime-common',
  'a symbol has one size': 'a symbol may have another size in each input',
  'an unknown place: refused, and the next run works': 'names that are no outputs are passed over',
  'a place for numbers that has none: refused, and the next run works': 'what is no tensor and not null is an option',
  'anything in run({ x }, { y: … })': 'what is no tensor and not null is an option',
  '“await using” releases at the end of the block': 'sessions have the methods of onnxruntime-common',
  'warmUp takes sizes, shapes or feeds, and leaves no trace': 'sessions have the methods of onnxruntime-common',
  'values that the optimizer has removed are named': 'sessions have the methods of onnxruntime-common',
  'a state goes on from run to run': 'sessions have the methods of onnxruntime-common',
  'runs of a state that are not awaited follow each other; one that is stopped changes nothing':
    'sessions have the methods of onnxruntime-common',
  'states that cannot be are refused, and those of other sessions': 'sessions have the methods of onnxruntime-common',
};
