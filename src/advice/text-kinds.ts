import type { Kind, Look } from './look.js';

const starts =
  (pattern: RegExp) =>
  ({ text }: Look) =>
    pattern.test(text.replace(/^\xef\xbb\xbf/, '').trimStart());

/** A file's own words, for those who must guess where it came from. */
export function excerpt({ text }: Look, length = 80): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}

/** Addresses that show a page about a file, and what stands in those of the file. */
const SHOWN_ON_PAGES: readonly (readonly [page: RegExp, file: string])[] = [
  [/^(https?:\/\/github\.com\/[^/]+\/[^/]+)\/blob\//, '$1/raw/'],
  [/^(https?:\/\/huggingface\.co\/.+?)\/blob\//, '$1/resolve/'],
];

function pageRemedy({ name }: Look): string {
  const shown = SHOWN_ON_PAGES.find(([page]) => page.test(name));
  return shown
    ? `the address is that of a page about the file, which itself is at ${name.replace(...shown)}`
    : 'servers send one in place of a file that is not there, or to ask for a login: open the address in a browser, and see that the file is in the folder that is served (often public/)';
}

/** The message in an answer such as {"error": {"message": …}}. */
function messageIn({ text, head }: Look): string | undefined {
  try {
    let value = JSON.parse(new TextDecoder().decode(head.slice()));
    for (const key of ['errors', '0', 'error', 'message', 'detail', 'error_description'])
      if (typeof value === 'object') value = value?.[key] ?? value;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return /"(?:error|message|detail)"\s*:\s*"([^"]*)/.exec(text)?.[1];
  }
}

function json(look: Look): string {
  const message = messageIn(look);
  return message === undefined ? `JSON (${excerpt(look)})` : `an answer in JSON, ${JSON.stringify(message)}`;
}

/** What consists of text. */
export const TEXT_KINDS: readonly Kind[] = [
  {
    is: starts(/^version https:\/\/git-lfs/),
    what: ({ text }) => `a pointer of Git LFS to a file of ${/\nsize (\d+)/.exec(text)?.[1] ?? '?'} bytes`,
    remedy:
      'fetch the file: git lfs install && git lfs pull; from a server, by the address of the file, not of its pointer (…/resolve/…, media.githubusercontent.com)',
  },
  {
    is: starts(/^<(!doctype html|html|head|body|!--)/i),
    what: (look) => `a web page, ${excerpt(look)}`,
    remedy: pageRemedy,
  },
  {
    is: starts(/^(<\?xml[\s\S]*)?<Error>/),
    what: (look) => `the refusal of a storage service, ${excerpt(look, 160)}`,
    remedy: 'check the address, and who may read the file',
  },
  {
    is: starts(/^<(\?xml|net )/),
    what: 'XML, such as a model of OpenVINO',
    remedy: 'give the .onnx file from which it was made',
  },
  {
    is: starts(/^\{[\s\S]*"(modelTopology|weightsManifest)"/),
    what: 'a model of TensorFlow.js',
    remedy:
      'convert the SavedModel from which it was made: python -m tf2onnx.convert --saved-model FOLDER --output model.onnx',
  },
  {
    is: starts(/^[{[]/),
    what: json,
    remedy: 'give the .onnx file; if a server has sent this, check the address and the access to it',
  },
  {
    is: starts(/^(<\s*ir_version|ir_version\s*:)/),
    what: 'an ONNX model as text',
    remedy: 'save it in binary form: onnx.save(onnx.parser.parse_model(text), "model.onnx")',
  },
];
