import type { MarkdownEnv } from 'vitepress';

interface Renderer {
  readonly options: { highlight?: unknown };
  render(source: string, env: MarkdownEnv): string;
}

/** A page as it is searched: code is not colored, and of the API reference only the headings of what is exported count. */
export function searched(source: string, env: MarkdownEnv, md: Renderer): string {
  const { highlight } = md.options;
  md.options.highlight = null;
  const html = md.render(env.relativePath.startsWith('generated/api/') ? exportsIn(source) : source, env);
  md.options.highlight = highlight;
  return html;
}

const exportsIn = (source: string): string => source.match(/^#{1,3} .+$/gm)?.join('\n\n') ?? '';
