import { CST, Lexer, Parser } from 'yaml'

/**
 * Whether collections are nested deeper than `max`, told without recursion. The composer of `yaml` recurses: near the end
 * of the stack V8 may be unable to compile a regular expression, which ends the process and cannot be caught.
 */
export function isNestedDeeper(yaml: string, max: number): boolean {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(yaml)) {
    tokens.push(...parser.next(lexeme))
    // Parsing on would take a second for 64 KiB of brackets.
    if (parser.stack.length > max && parser.stack.filter(CST.isCollection).length > max) return true
  }
  tokens.push(...parser.end())
  // What has left the stack may have become the key of a map around it.
  return isDeep(tokens, max)
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
