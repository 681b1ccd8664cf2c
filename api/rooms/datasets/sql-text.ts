/** A name in SQL. */
export const ident = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** A text in SQL. DuckDB knows no other escape in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A list of texts in SQL. */
export const list = (values: readonly string[]): string => `[${values.map(quoted).join(', ')}]`
