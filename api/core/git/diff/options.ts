/** How contents are compared. */
export interface DiffOptions {
  /** Lines that differ in white space alone count as equal. */
  ignoresWhitespace?: boolean
}

/** What sets the remembered answers apart. */
export const keyOf = ({ ignoresWhitespace }: DiffOptions) => (ignoresWhitespace ? ':without-whitespace' : '')
