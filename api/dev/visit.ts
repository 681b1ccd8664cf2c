/** A node of the syntax tree that oxc-parser makes. */
export interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Shows every node below `node` to `see`, parents first. */
export function visit(node: unknown, see: (node: Node) => void): void {
  if (Array.isArray(node)) for (const each of node) visit(each, see)
  else if (typeof node === 'object' && node !== null) {
    if ('type' in node) see(node as Node)
    for (const value of Object.values(node)) visit(value, see)
  }
}
