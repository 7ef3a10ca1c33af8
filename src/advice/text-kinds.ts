import type { Kind, Look } from './look.js';

const starts =
  (pattern: RegExp) =>
  ({ text }: Look) =>
    pattern.test(text.replace(/^\xef\xbb\xbf/, '').trimStart());

/** The first characters of a file, quoted. */
export function excerpt({ text }: Look, length = 80): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return JSON.stringify(line.length > length ? `${line.slice(0, length)}…` : line);
}

/** URLs of pages about a file, and those of the file itself. */
const SHOWN_ON_PAGES: readonly (readonly [page: RegExp, file: string])[] = [
  [/^(https?:\/\/github\.com\/[^/]+\/[^/]+)\/blob\//, '$1/raw/'],
  [/^(https?:\/\/huggingface\.co\/.+?)\/blob\//, '$1/resolve/'],
];

function pageRemedy({ name }: Look): string {
  const shown = SHOWN_ON_PAGES.find(([page]) => page.test(name));
  return shown
    ? `the URL shows a page about the file; the file itself is at ${name.replace(...shown)}`
    : 'servers send one when a file is missing, or to ask for a login: open the URL in a browser, and check that the file is in the folder that is served (often public/)';
}

/** The message in a response such as {"error": {"message": …}}. */
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
  return message === undefined ? `JSON (${excerpt(look)})` : `a JSON response, ${JSON.stringify(message)}`;
}

/** Kinds of text files. */
export const TEXT_KINDS: readonly Kind[] = [
  {
    is: starts(/^version https:\/\/git-lfs/),
    what: ({ text }) => `a Git LFS pointer to a file of ${/\nsize (\d+)/.exec(text)?.[1] ?? '?'} bytes`,
    remedy:
      'fetch the file: git lfs install && git lfs pull; from a server, use the URL of the file, not of its pointer (…/resolve/…, media.githubusercontent.com)',
  },
  {
    is: starts(/^<(!doctype html|html|head|body|!--)/i),
    what: (look) => `a web page, ${excerpt(look)}`,
    remedy: pageRemedy,
  },
  {
    is: starts(/^(<\?xml[\s\S]*)?<Error>/),
    what: (look) => `an error of a storage service, ${excerpt(look, 160)}`,
    remedy: 'check the URL and the permissions of the file',
  },
  {
    is: starts(/^<(\?xml|net )/),
    what: 'XML, such as an OpenVINO model',
    remedy: 'pass the .onnx file that it was converted from',
  },
  {
    is: starts(/^\{[\s\S]*"(modelTopology|weightsManifest)"/),
    what: 'a TensorFlow.js model',
    remedy: 'convert the original SavedModel: python -m tf2onnx.convert --saved-model FOLDER --output model.onnx',
  },
  {
    is: starts(/^[{[]/),
    what: json,
    remedy: 'pass the .onnx file; if a server sent this, check the URL and the permissions',
  },
  {
    is: starts(/^(<\s*ir_version|ir_version\s*:)/),
    what: 'an ONNX model as text',
    remedy: 'save it in binary form: onnx.save(onnx.parser.parse_model(text), "model.onnx")',
  },
];
