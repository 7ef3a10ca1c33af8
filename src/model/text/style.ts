export interface TextOptions {
  /** Says everything: what ONNX's syntax has no place for stands in comments, and the text is read as the same bytes. */
  readonly lossless?: boolean | undefined;
  /** Tensors of more elements are printed without them, as `{...}`; the text then cannot be read again. */
  readonly limit?: number | undefined;
}

/** How messages are printed. */
export interface Style {
  readonly lossless: boolean;
  readonly limit: number;
  /** Blanks before a node. */
  readonly indent: number;
}

/** What nodes of a model, and of a function, begin with. */
export const INDENT = 3;

export const styleOf = ({ lossless = false, limit = Number.POSITIVE_INFINITY }: TextOptions): Style => ({
  lossless,
  limit: lossless ? Number.POSITIVE_INFINITY : limit,
  indent: INDENT,
});

export const indented = (style: Style): Style => ({ ...style, indent: style.indent + INDENT });
