/** Which lines a comment is about, in words. */
export const linesText = ({ start_line: first, line }: { start_line?: number | undefined; line: number }) =>
  first === undefined ? `Line ${line}` : `Lines ${first} to ${line}`
