/** Options of `toText`. */
export interface TextOptions {
  /** Writes properties that ONNX's syntax cannot express in comments, so that parsing the text returns the same bytes. */
  readonly lossless?: boolean | undefined;
  /** Tensors with more elements are printed as `{...}`; the text then cannot be parsed. */
  readonly limit?: number | undefined;
}

/** Settings of the printer. */
export interface Style {
  readonly lossless: boolean;
  readonly limit: number;
  /** Spaces before a node. */
  readonly indent: number;
}

/** The indentation of nodes, in spaces. */
export const INDENT = 3;

export const styleOf = ({ lossless = false, limit = Number.POSITIVE_INFINITY }: TextOptions): Style => ({
  lossless,
  limit: lossless ? Number.POSITIVE_INFINITY : limit,
  indent: INDENT,
});

export const indented = (style: Style): Style => ({ ...style, indent: style.indent + INDENT });
