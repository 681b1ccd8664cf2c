import { CST, Lexer, Parser, type LineCounter } from 'yaml'

/**
 * The tokens of a YAML text, or `undefined` where collections are nested deeper than `max`. Found without recursion: the
 * composer of `yaml` recurses, and near the end of the stack V8 may be unable to compile a regular expression, which ends
 * the process and cannot be caught.
 */
export function tokensOf(yaml: string, max: number, lines: LineCounter): CST.Token[] | undefined {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(yaml)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    // The parser's own stack costs the square of its depth: 64 KiB of brackets take more than a second.
    if (parser.stack.length > max && parser.stack.filter(CST.isCollection).length > max) return undefined
  }
  for (const token of parser.end()) tokens.push(token)
  // What has left the stack may have become the key of a map around it.
  return isDeep(tokens, max) ? undefined : tokens
}

function isDeep(tokens: CST.Token[], max: number): boolean {
  const waiting = tokens.map((token) => ({ token, depth: 0 }))
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { token, depth } = next
    if (token.type === 'document' && token.value) waiting.push({ token: token.value, depth })
    if (!CST.isCollection(token)) continue
    if (depth === max) return true
    for (const { key, value } of token.items)
      for (const inner of [key, value]) if (inner) waiting.push({ token: inner, depth: depth + 1 })
  }
  return false
}
